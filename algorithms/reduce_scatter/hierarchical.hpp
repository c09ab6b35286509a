// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/piecewise.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce_scatter {

/// Every node reduces to its first rank. Each first rank gets its node's parts from all others, sums them, and scatters
/// them in its node.
///
/// Example: p = 8, m = 8, nodes of 2. 0-1[2-3]>2 is elements 2 and 3 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1              1>0                     3>2                     5>4                     7>6
///       2  0-1[2-3]>2              2-3[4-5]>4              4-5[6-7]>6              6-7[0-1]>0
///       3  0-1[4-5]>4              2-3[6-7]>6              4-5[0-1]>0              6-7[2-3]>2
///       4  0-1[6-7]>6              2-3[0-1]>0              4-5[2-3]>2              6-7[4-5]>4
///       5  0-7[1]>1                0-7[3]>3                0-7[5]>5                0-7[7]>7
inline void hierarchical(Program& net) {
  const NodeParts nodes(net.size(), net.parts(), net.params());
  const Group node = nodes.own(net);
  Value sum = reduce::to_root(node, net.input(), 0);
  if (node.rank() == 0) {
    const Parts of_nodes = nodes.of_nodes();
    sum = piecewise::reduce_scatter(nodes.lane(net), of_nodes.count(nodes.of(net.rank())),
                                    [&](int i) { return part(sum, of_nodes.first(i), of_nodes.count(i)); });
  }
  const Value held = piecewise::scatter(node, sum, nodes.in_node(nodes.of(net.rank())));
  net.result(part(held, 0, net.parts().count(net.rank())));
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "Traeff, Hunold 2020, hierarchical; rank order: own",
    .summary = "reduce in nodes, every part straight to its node, and scatter in nodes, rank order kept",
    .rounds = "log2 c + N-1 + log2 c",
    .cuts = Cuts::always,
    .placement = Placement::consecutive,
    .flat = "recursive_halving",
};

}  // namespace mpigraft::reduce_scatter
