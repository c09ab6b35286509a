// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft::bcast {

/// Broadcast from the root to the heads of all nodes, then from each head to its node.
///
/// Example: p = 8, m = 3, blocks of 1, root 0, nodes of 2. [0]>2 is element 0, sent to rank 2.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  [0]>2
///       2  [1]>2           [0]>4
///       3  [2]>2           [1]>4           [0]>6
///       4  0>1             [2]>4           [1]>6
///       5                  0>3             [2]>6
///       6                                  0>5             0>7
inline void hierarchical(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const int i = nodes.of(net.rank()), N = nodes.count(), root_node = nodes.root_node();
  Value message = net.rank() == net.params().root ? net.input() : nothing;
  if (net.rank() == nodes.head(i)) {
    const Group heads = nodes.heads(net);
    const std::int64_t b = blocks_between_heads(N, net.length(), net.params(), false);
    if (b > 0) {
      const auto blocks = along_tree(heads, {net.length(), b}, Chain::place(i, N, root_node), input_of(net));
      if (i != root_node) message = net.join(blocks);
    } else {
      message = from_root(heads, message, net.length(), root_node);
    }
  }
  net.result(from_root(nodes.own(net), message, net.length(), nodes.head(i) - nodes.first(i)));
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "MPICH, bcast_intra_smp; chain: Sanders, Speck, Traeff 2009, section 2",
    .summary = "between one rank of each node by a binomial tree or a pipelined chain, then within nodes, any root",
    .rounds = "at most log2 N + log2 c, or N+b-2 instead of log2 N",
    .pipelined = true,
    .placement = Placement::consecutive,
    .flat = "binomial",
};

}  // namespace mpigraft::bcast
