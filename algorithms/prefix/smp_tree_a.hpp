// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"

// In-order trees of all ranks that cross the borders of nodes on few edges (Sanders, Traeff 2006, section 4), built of
// the trees of patterns/in_order_tree.hpp over the nodes and within each.
namespace mpigraft::node_tree {

using in_order_tree::Place;
using in_order_tree::Subtree;

/// The place of a rank whose way down from the root leads to `above`, then along that of `local`.
constexpr Place extended(const Place& above, Place local) {
  if (above.rights > 0)
    local.first_lefts = above.first_lefts;
  else
    local.first_lefts += above.lefts;
  local.lefts += above.lefts;
  local.rights += above.rights;
  return local;
}

/// The place of a child of `above`, without neighbours.
constexpr Place child_of(const Place& above, bool left) {
  return extended(above, {.lefts = left, .rights = !left, .first_lefts = left});
}

/// The tree of smp_tree_a.
struct A {
  static Place place(int r, const Nodes& nodes) {
    const int i = nodes.of(r), N = nodes.count();
    const auto tree_of = [&](int node) { return Subtree{nodes.first(node), nodes.size(node)}; };
    const auto root_of = [&](int node) { return node == none ? none : tree_of(node).root(); };
    Place v = tree_of(i).place(r);
    const bool is_root = v.parent == none;
    if (r == nodes.first(i)) v.left = root_of(in_order_tree::left(i));
    if (r == nodes.last(i)) v.right = root_of(in_order_tree::right(i, N));
    for (int node = i; node != in_order_tree::root(N);) {
      const int above = in_order_tree::parent(node, N), size = nodes.size(above);
      const bool left = node < above;
      if (is_root && node == i) v.parent = left ? nodes.first(above) : nodes.last(above);
      v = extended(child_of(in_order_tree::place(left ? 0 : size - 1, size), left), v);
      node = above;
    }
    return v;
  }
  /// Upper bound of the number of edges from the root to any rank.
  static int height(const Nodes& nodes) {
    return (in_order_tree::height(nodes.count()) + 1) * (in_order_tree::height(nodes.largest()) + 1) - 1;
  }
};

}  // namespace mpigraft::node_tree

namespace mpigraft::prefix {

template <class Tree>
void along_node_tree(Program& net, bool exclusive) {
  const Nodes nodes(net.size(), net.params());
  doubly_pipelined(net, exclusive, Tree::place(net.rank(), nodes), Tree::height(nodes));
}

/// doubly_pipelined_binary_tree on another tree (node_tree::A):
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
void smp_tree_a(Program& net) {
  along_node_tree<node_tree::A>(net, exclusive);
}

template <bool exclusive>
inline constexpr AlgorithmInfo smp_tree_a_info{
    .paper = exclusive ? "Sanders, Traeff 2006, section 4, exclusive form" : "Sanders, Traeff 2006, section 4",
    .summary = "doubly pipelined on in-order trees of the nodes, hung on one over the nodes: N-1 edges cross borders",
    .rounds = "at most 3(b-1)+4n-2",
    .cuts = Cuts::blocks,
    .placement = Placement::consecutive,
    .flat = "doubly_pipelined_binary_tree",
};

}  // namespace mpigraft::prefix
