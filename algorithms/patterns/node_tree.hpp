// SPDX-License-Identifier: MIT
// In-order trees of all ranks that cross the borders of nodes on few edges (Sanders, Traeff 2006, section 4), built of
// the trees of in_order_tree.hpp over the nodes and within each.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/patterns/nodes.hpp"

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

/// In-order trees of the nodes, on the in-order tree over the nodes: the root of a node's tree is the left child of the
/// first rank of the node above, or the right child of its last one. No other edges cross borders of nodes.
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

/// The in-order tree of the nodes' first ranks; the tree of a node's other ranks is the right child of the first one,
/// or where that has a right child, the left child of the next node's first rank.
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
