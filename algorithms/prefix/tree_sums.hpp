// SPDX-License-Identifier: MIT
// A rank's sums in an in-order tree, block by block; the caller decides when.
//
// With x the rank's own block, L and R the totals of its subtrees, and P the prefix of all ranks before its subtree:
//   up:   L (+) x (+) R              to the parent
//   down: P                          to the left child
//         P (+) L (+) x              to the right child; the inclusive result
//         P (+) L                    the exclusive result
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft::prefix {

/// Invariant: block i of W holds L (+) x (exclusive: L) after `join_left`, and the result after `join_prefix`.
template <bool exclusive, Transport T>
class TreeSums {
 public:
  TreeSums(T& net, Block V, Block W, Blocks cut, const in_order_tree::Place& v)
      : net_(net),
        V_(V),
        W_(W),
        cut_(cut),
        inner_(v.left != none),
        joins_right_(v.right != none),
        has_prefix_(v.has_prefix()) {}

  /// The block to receive L in, which may be `spare`.
  Block left_total(std::int64_t i, Block spare) const { return exclusive ? W(i) : spare; }
  void join_left(std::int64_t i, Block L) {
    if (!exclusive) net_.combine(L, V(i), W(i));
  }
  /// The sum that goes up. R is the right child's total, or without one a block to spare; the sum may be made in it.
  Block total(std::int64_t i, Block R) {
    if (!joins_right_ && !(exclusive && inner_)) return own(i);
    if (!joins_right_) {
      net_.combine(W(i), V(i), R);
      return R;
    }
    net_.combine(exclusive ? V(i) : own(i), R);
    if (exclusive && inner_) net_.combine(W(i), R);
    return R;
  }
  /// The block to receive P in, which may be `spare`.
  Block prefix(std::int64_t i, Block spare) const { return exclusive && !inner_ ? W(i) : spare; }
  void join_prefix(std::int64_t i, Block P) {
    if (!exclusive) net_.combine(P, own(i), W(i));
    if (exclusive && inner_) net_.combine(P, W(i));
  }
  /// P (+) L (+) x, which may be made in `spare`.
  Block through(std::int64_t i, Block spare) {
    if (!inner_ && !has_prefix_) return V(i);
    if (!exclusive) return W(i);
    net_.combine(W(i), V(i), spare);
    return spare;
  }
  /// The result of a rank that no other precedes.
  void finish() {
    if (!exclusive && !inner_ && !has_prefix_) net_.copy(V_, W_);
  }

 private:
  Block V(std::int64_t i) const { return cut_.of(V_, i); }
  Block W(std::int64_t i) const { return cut_.of(W_, i); }
  /// L (+) x, where W has it.
  Block own(std::int64_t i) const { return inner_ ? W(i) : V(i); }

  T& net_;
  const Block V_, W_;
  const Blocks cut_;
  const bool inner_, joins_right_, has_prefix_;
};

}  // namespace mpigraft::prefix
