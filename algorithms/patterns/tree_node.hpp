// SPDX-License-Identifier: MIT
// Trees for pipelined broadcasts and reductions. A broadcast sends every block to the left child, then to the right
// one; a reduction, its reverse, receives from the right child, then from the left one.
#pragma once

#include <algorithm>

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

struct TreeNode {
  int parent = none, left = none, right = none;
  constexpr int children() const { return (left != none) + (right != none); }
};

/// In order, any root: below the root one in-order tree on the ranks before it, and one on those after it.
struct BinaryTree {
  static constexpr TreeNode node(int r, int p, int root) {
    namespace tree = in_order_tree;
    const int above = p - 1 - root;
    if (r == root) return {none, root > 0 ? tree::root(root) : none, above > 0 ? root + 1 + tree::root(above) : none};
    const int first = r < root ? 0 : root + 1, size = r < root ? root : above, i = r - first;
    const auto rank = [&](int other, int missing) { return other == none ? missing : first + other; };
    return {rank(tree::parent(i, size), root), rank(tree::left(i), none), rank(tree::right(i, size), none)};
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
