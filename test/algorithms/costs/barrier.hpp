// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft::barrier::costs {

inline Cost hierarchical(int p, std::int64_t, const Params& params) {
  const Nodes nodes(p, params);
  return {.rounds = 2 * ceil_log2(nodes.largest()) + ceil_log2(nodes.count())};
}

inline Cost dissemination(int p, std::int64_t, const Params&) { return {.rounds = ceil_log2(p)}; }

inline Cost shared_flat(int p, std::int64_t, const Params&) { return {.rounds = p > 1 ? 1 : 0}; }

}  // namespace mpigraft::barrier::costs
