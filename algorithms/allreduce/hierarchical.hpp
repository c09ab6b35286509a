// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/allreduce/adaptive.hpp"
#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/bcast/binomial.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::allreduce {

/// Number of halvings for N ranks: until a share is no longer than the rule's segment, or without one as often as pays.
inline int halvings_between(int N, std::int64_t m, const Params& params) {
  if (params.segment == 0) return halvings(N, m, params);
  return std::min(Grouping(N).twos, ceil_log2(block_count(m, params, {}, true)));
}

/// Reduction to the first rank of each node, allreduce between the first ranks, and broadcast in each node.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 2-3[0-1]>0 is elements 0 and 1 of x_2 (+) x_3, sent to rank 0.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1              1>0                     3>2                     5>4                     7>6
///       2  0-1[2]>2                2-3[0-1]>0              4-5[2]>6                6-7[0-1]>4
///       3  0-3[1]>4                                        4-7[0]>0                4-7[2]>2
///       4  0-7[0]>4                0-7[2]>6                0-7[1]>0
///       5  0-7[0-1]>2              0-7[2]>0                0-7[0-1]>6              0-7[2]>4
///       6  0-7>1                   0-7>3                   0-7>5                   0-7>7
inline void hierarchical(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const Group node = nodes.own(net);
  Value sum = reduce::to_root(node, net.input(), 0);
  if (node.rank() == 0)
    sum = in_groups(nodes.lane(net), sum, halvings_between(nodes.count(), net.length(), net.params()));
  net.result(bcast::from_root(node, sum, net.length(), 0));
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "MPICH, allreduce_intra_smp; halvings between nodes: Rabenseifner 2004",
    .summary = "up a tree in each node, halving and doubling between one rank of each, and down, rank order kept",
    .rounds = "2 log2 c + log2 N, and as many as halvings of up to log2 N",
    .cuts = Cuts::blocks,
    .placement = Placement::consecutive,
    .flat = "recursive_doubling",
};

}  // namespace mpigraft::allreduce
