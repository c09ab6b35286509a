// SPDX-License-Identifier: MIT
// The allreduce between nodes, among one rank of each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/allreduce/adaptive.hpp"
#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/log2.hpp"

namespace mpigraft::allreduce {

/// Number of halvings for N ranks: until a share is no longer than the rule's segment, or without one as often as pays.
inline int halvings_between(int N, std::int64_t m, const Params& params) {
  if (params.segment == 0) return adaptive::halvings(N, m, params);
  return std::min(Grouping(N).twos, ceil_log2(block_count(m, params, {}, true)));
}

}  // namespace mpigraft::allreduce
