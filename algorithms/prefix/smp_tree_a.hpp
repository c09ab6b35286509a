// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/node_tree.hpp"
#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"

namespace mpigraft::prefix {

template <class Tree>
void along_node_tree(Program& net, bool exclusive) {
  const Nodes nodes(net.size(), net.params());
  doubly_pipelined(net, exclusive, Tree::place(net.rank(), nodes), Tree::height(nodes));
}

/// doubly_pipelined_binary_tree on another tree (node_tree::A in patterns/node_tree.hpp):
///   every node has an in-order tree of its ranks; over the nodes there is one more;
///   the root of a node's tree hangs on the node above it, to the left of its first or to the right of its last rank.
/// So the tree of all ranks is in order, and N-1 of its edges cross the borders of N nodes.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                                  4[0]>5
///       2  0[1]>1    0-1[0]>2
///       3  0[2]>1    0-1[1]>2  0-2[0]>3
///       4            0-1[2]>2            0-3[0]>5            4-5[0]>3
///       5                      0-2[1]>3  0-5[0]>6  4[1]>5    0-3[0]>4
///       6                                0-3[1]>5            4-5[1]>3  0-6[0]>7
///       7                      0-2[2]>3  0-5[1]>6  4[2]>5    0-3[1]>4
///       8                                0-3[2]>5            4-5[2]>3  0-6[1]>7
///       9                                0-5[2]>6            0-3[2]>4
///      10                                                              0-6[2]>7
template <bool exclusive>
struct smp_tree_a {
  static void text(Program& net) { along_node_tree<node_tree::A>(net, exclusive); }

  static constexpr AlgorithmInfo info{
      .paper = exclusive ? "Sanders, Traeff 2006, section 4, exclusive form" : "Sanders, Traeff 2006, section 4",
      .summary = "doubly pipelined on in-order trees of the nodes, hung on one over the nodes: N-1 edges cross borders",
      .rounds = "at most 3(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .placement = Placement::consecutive,
      .flat = "doubly_pipelined_binary_tree",
  };
};

}  // namespace mpigraft::prefix
