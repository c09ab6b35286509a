// SPDX-License-Identifier: MIT
// The in-order binary tree on ranks 0..p-1, for any p: with i = r+1, rank r has as many levels below it as i has
// trailing zeros, and the root is the largest power of two up to p. A left subtree is complete; a right one that is
// not complete is such a tree again. (Sanders, Traeff 2006, section 2.3, draw complete trees only.)
#pragma once

#include <algorithm>
#include <bit>

#include "algorithms/patterns/blocks.hpp"

namespace mpigraft::in_order_tree {

/// Number of edges from the root to the deepest rank.
constexpr int height(int p) { return ceil_log2(p + std::int64_t{1}) - 1; }

constexpr int floor_power(int x) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(x))); }
constexpr int lowest_bit(int i) { return i & -i; }

// Neighbours of rank r in the tree of p ranks, or `none`.

constexpr int root(int p) { return floor_power(p) - 1; }

constexpr int parent(int r, int p) {
  if (r == root(p)) return none;
  const int i = r + 1, below = lowest_bit(i);
  return (i & 2 * below) != 0 || i + below > p ? r - below : r + below;
}

constexpr int left(int r) {
  const int below = lowest_bit(r + 1);
  return below > 1 ? r - below / 2 : none;
}

/// The root of the ranks between r and the next rank of its level, cut off at p.
constexpr int right(int r, int p) {
  const int room = std::min(lowest_bit(r + 1) - 1, p - 1 - r);
  return room > 0 ? r + floor_power(room) : none;
}

/// Numbers of right and of left edges on the way from the root to r. Each bit of r+1 but the lowest is a right edge. As
/// long as these are also the upper bits of p, the way has no left edges; below them r is in a complete tree.
constexpr int rights(int r) { return std::popcount(static_cast<unsigned>(r + 1)) - 1; }
constexpr int lefts(int r, int p) {
  const unsigned i = static_cast<unsigned>(r + 1), cut = std::bit_floor(i ^ static_cast<unsigned>(p));
  const unsigned rest = cut > 0 ? i & (cut - 1) : 0;
  return rest == 0 ? 0 : std::countr_zero(cut) - std::countr_zero(rest) - std::popcount(rest) + 1;
}

/// A rank's neighbours, and its way down from the root. Inner ranks have a left child; those that send up have both.
struct Place {
  int parent = none, left = none, right = none;
  int lefts = 0, rights = 0;  // edges of either kind on the way
  int first_lefts = 0;        // those before the first right one

  /// True if ranks outside this subtree follow, which need its total.
  constexpr bool sends_up() const { return lefts > 0; }
  /// True if ranks outside this subtree precede.
  constexpr bool has_prefix() const { return rights > 0; }
};

/// The in-order tree of ranks first..first+size-1, which may be none, as a subtree of `above`.
struct Subtree {
  int first, size, above = none;

  constexpr int root() const { return size > 0 ? first + in_order_tree::root(size) : none; }
  constexpr Place place(int r) const {
    const int i = r - first;
    const auto rank = [&](int other, int missing) { return other == none ? missing : first + other; };
    return {.parent = rank(parent(i, size), above),
            .left = rank(left(i), none),
            .right = rank(right(i, size), none),
            .lefts = lefts(i, size),
            .rights = rights(i),
            .first_lefts = std::countr_zero(std::bit_floor(static_cast<unsigned>(size))) -
                           std::countr_zero(std::bit_floor(static_cast<unsigned>(i + 1)))};
  }
};
constexpr Place place(int r, int p) { return Subtree{0, p}.place(r); }

/// The heaviest way down from the root, where a left edge weighs 1 and a right one 2: how long a prefix travels that
/// every rank passes first to its left child. 0 for p <= 1.
constexpr int way_down(int p) {
  int heaviest = 0;
  for (int weight = 0; p > 1; weight += 2) {
    const int rest = p - floor_power(p);
    heaviest = std::max({heaviest, weight + 2 * height(p) - 1, rest > 0 ? weight + 2 : 0});
    p = rest;
  }
  return heaviest;
}

}  // namespace mpigraft::in_order_tree

namespace mpigraft {

/// The in-order tree for any root: below the root one in-order tree on the ranks before it, and one on those after it.
/// A pipelined broadcast sends every block to the left child, then to the right one; a reduction, its reverse, receives
/// from the right child, then from the left one.
struct BinaryTree {
  static constexpr in_order_tree::Place place(int r, int p, int root) {
    const in_order_tree::Subtree before{0, root, root}, after{root + 1, p - 1 - root, root};
    if (r == root) return {none, before.root(), after.root()};
    return (r < root ? before : after).place(r);
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
