// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/smp_tree_a.hpp"

namespace mpigraft::node_tree {

/// The tree of smp_tree_b.
struct B {
  static Place place(int r, const Nodes& nodes) {
    const int i = nodes.of(r), first = nodes.first(i), N = nodes.count();
    const auto first_of = [&](int node) { return node == none ? none : nodes.first(node); };
    if (r == first) {
      Place v = in_order_tree::place(i, N);
      v.parent = first_of(v.parent);
      // without a left child, i is on the right of i-1, whose other ranks therefore come below i
      v.left = v.left != none ? nodes.first(v.left) : i > 0 ? root_of_others(i - 1, nodes) : none;
      v.right = v.right != none ? nodes.first(v.right) : root_of_others(i, nodes);
      return v;
    }
    const bool left = !on_the_right(i, N);
    const int leader = left ? i + 1 : i;
    const Subtree others{first + 1, nodes.size(i) - 1, nodes.first(leader)};
    return extended(child_of(in_order_tree::place(leader, N), left), others.place(r));
  }
  static int height(const Nodes& nodes) {
    return in_order_tree::height(nodes.count()) + 1 + in_order_tree::height(nodes.largest() - 1);
  }

 private:
  /// True if the other ranks of node i are below its first one.
  static bool on_the_right(int i, int N) { return in_order_tree::right(i, N) == none; }
  static int root_of_others(int i, const Nodes& nodes) { return Subtree{nodes.first(i) + 1, nodes.size(i) - 1}.root(); }
};

}  // namespace mpigraft::node_tree

namespace mpigraft::prefix {

/// doubly_pipelined_binary_tree on another tree (node_tree::B):
///   the first ranks of all nodes have an in-order tree;
///   the other ranks of a node have one, too, which hangs on the right of the first rank,
///   or, where that has a right child, on the left of the next node's first rank.
/// It is lower than that of smp_tree_a, and more edges cross the borders of nodes.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1    1[0]>0              3[0]>4
///       2  0-1[0]>2  1[1]>0                                  5[0]>4
///       3  0[1]>1              0-2[0]>4            3-5[0]>2
///       4  0-1[1]>2  1[2]>0    0-5[0]>6  3[1]>4    0-2[0]>3
///       5  0[2]>1                                  0-4[0]>5  5[1]>4    0-6[0]>7
///       6                      0-2[1]>4            3-5[1]>2
///       7  0-1[2]>2            0-5[1]>6  3[2]>4    0-2[1]>3
///       8                                          0-4[1]>5  5[2]>4    0-6[1]>7
///       9                      0-2[2]>4            3-5[2]>2
///      10                      0-5[2]>6            0-2[2]>3
///      11                                          0-4[2]>5            0-6[2]>7
template <bool exclusive>
void smp_tree_b(Program& net) {
  along_node_tree<node_tree::B>(net, exclusive);
}

template <bool exclusive>
inline constexpr AlgorithmInfo smp_tree_b_info{
    .paper = exclusive ? "Sanders, Traeff 2006, section 4, exclusive form" : "Sanders, Traeff 2006, section 4",
    .summary = "doubly pipelined on an in-order tree of the nodes' first ranks, with those of the other ranks below",
    .rounds = "at most 3(b-1)+4n-2",
    .cuts = Cuts::blocks,
    .placement = Placement::consecutive,
    .flat = "doubly_pipelined_binary_tree",
};

}  // namespace mpigraft::prefix
