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

/// What one rank combines, sends and receives, in elements or in vectors.
struct Tally {
  std::int64_t combined = 0, sent = 0, received = 0;

  constexpr Tally operator+(const Tally& more) const {
    return {combined + more.combined, sent + more.sent, received + more.received};
  }
  constexpr Tally operator*(std::int64_t m) const { return {combined * m, sent * m, received * m}; }
};

/// Takes what one rank does into the maxima. Ranks come in order.
inline void take_in(Cost& most, const Tally& rank) {
  most.applications_last = rank.combined;
  most.applications = std::max(most.applications, rank.combined);
  most.sent = std::max(most.sent, rank.sent);
  most.received = std::max(most.received, rank.received);
}

/// The cost of `rounds` rounds in which no rank does more than `most`, and rank p-1 combines `last` elements.
constexpr Cost cost_in(std::int64_t rounds, const Tally& most, std::int64_t last) {
  return {static_cast<int>(rounds), most.combined, last, most.sent, most.received};
}
/// The same if rank p-1 combines as many as any.
constexpr Cost cost_in(std::int64_t rounds, const Tally& most) { return cost_in(rounds, most, most.combined); }

/// The cost of `rounds` rounds in which rank r of p does tally(r).
template <class TallyOf>
Cost over_ranks(std::int64_t rounds, int p, TallyOf tally) {
  Cost most{.rounds = static_cast<int>(rounds)};
  for (int r = 0; r < p; ++r) take_in(most, tally(r));
  return most;
}

namespace proof {

/// The cost of the algorithm with this text, for p ranks and m elements; nothing if none is stated.
std::optional<Cost> stated_cost(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params);
/// Checks the run, and its cost if that is stated.
model::Verdict check(const model::Recording& recording, const AlgorithmInfo& info);
using Judge = model::Verdict (*)(const model::Recording& recording, const AlgorithmInfo& info);
/// Records a run and proves it, or what the judge looks at. The recording is valid until the next call.
const model::Recording& prove(const Listed& A, int p, std::int64_t m, const Params& params, bool in_place = false,
                              Judge judge = check);

/// Judges whether no failure goes unnoticed, whether messages and combining overlap, and what becomes of pairs.
inline constexpr Judge poison = [](const auto& recording, const auto&) { return model::check_poison(recording); };
inline constexpr Judge ahead = [](const auto& recording, const auto&) { return model::check_ahead(recording); };
inline constexpr Judge pairs = [](const auto& recording, const auto&) { return model::check_pairs(recording); };

}  // namespace proof
}  // namespace mpigraft
