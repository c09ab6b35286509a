// SPDX-License-Identifier: MIT
// Trees for pipelined broadcasts and reductions. A broadcast sends every block to the left child, then to the right
// one; a reduction, its reverse, receives from the right child, then from the left one.
#pragma once

#include <algorithm>

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft {

struct TreeNode {
  int parent = none, left = none, right = none;
  constexpr int children() const { return (left != none) + (right != none); }
};

/// The in-order tree on ranks first..first+size-1, which may be none, as a subtree of `above`.
struct Subtree {
  int first, size, above;

  constexpr int root() const { return size > 0 ? first + in_order_tree::root(size) : none; }
  constexpr TreeNode node(int r) const {
    const int i = r - first;
    const auto rank = [&](int other, int missing) { return other == none ? missing : first + other; };
    return {rank(in_order_tree::parent(i, size), above), rank(in_order_tree::left(i), none),
            rank(in_order_tree::right(i, size), none)};
  }
};

/// The in-order tree for any root: below the root one in-order tree on the ranks before it, and one on those after it.
struct BinaryTree {
  static constexpr TreeNode node(int r, int p, int root) {
    const Subtree before{0, root, root}, after{root + 1, p - 1 - root, root};
    if (r == root) return {none, before.root(), after.root()};
    return r < root ? before.node(r) : after.node(r);
  }
  /// The first block takes the heaviest way down. The others follow one by one, or every two rounds where any rank has
  /// two children: all ranks are below the highest such rank, or above it on the way from the root.
  static constexpr Pipeline rounds(int p, int root) {
    const int above = p - 1 - root;
    const bool between = root > 0 && above > 0;
    const int way = between ? std::max(1 + in_order_tree::way_down(root), 2 + in_order_tree::way_down(above))
                            : 1 + in_order_tree::way_down(p - 1);
    return {static_cast<double>(way), between || p > 3 ? 2.0 : 1.0};
  }
};

}  // namespace mpigraft
