// SPDX-License-Identifier: MIT
// What runs cost as the papers state it, or as it follows from who talks to whom: an oracle for what the model counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/check.hpp"
#include "algorithms/model/price.hpp"

namespace mpigraft {

using model::Cost;

/// Takes what one rank combines, sends and receives into the maxima. Ranks come in order.
inline void take_in(Cost& most, std::int64_t combined, std::int64_t sent, std::int64_t received) {
  most.applications_last = combined;
  most.applications = std::max(most.applications, combined);
  most.sent = std::max(most.sent, sent);
  most.received = std::max(most.received, received);
}

namespace proof {

/// The cost of the algorithm with this text, for p ranks and m elements; nothing if none is stated.
std::optional<Cost> stated_cost(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params);
/// Checks the run, and its cost if that is stated.
model::Verdict check(const model::Recording& recording, const AlgorithmInfo& info);
/// Records a run and proves it. The recording is valid until the next call.
const model::Recording& prove(const Listed& A, int p, std::int64_t m, const Params& params, bool in_place = false);

}  // namespace proof
}  // namespace mpigraft
