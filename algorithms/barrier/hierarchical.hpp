// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/barrier/dissemination.hpp"
#include "algorithms/bcast/binomial.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::barrier {

/// The ranks of a node report to its first rank, the first ranks meet by dissemination, and release their nodes.
///
/// Example: p = 8, m = 0, nodes of 2. >0 is a message to rank 0.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1          >0              >2              >4              >6
///       2  >2              >4              >6              >0
///       3  >4              >6              >0              >2
///       4  >1              >3              >5              >7
inline void hierarchical(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const Group node = nodes.own(net);
  const Value all = reduce::to_root(node, net.input(), 0);
  if (node.rank() == 0) dissemination_barrier(nodes.lane(net));
  bcast::from_root(node, all, 0, 0);
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "MPICH, barrier_intra_smp",
    .summary = "up a tree in each node, dissemination between one rank of each, and down again",
    .rounds = "2 log2 c + log2 N",
    .placement = Placement::consecutive,
    .flat = "dissemination",
};

}  // namespace mpigraft::barrier
