// SPDX-License-Identifier: MIT
// A rank's sums in an in-order tree, block by block; the caller decides when.
//
// With x the rank's own block, L and R the totals of its subtrees, and P the prefix of all ranks before its subtree:
//   up:   L (+) x (+) R              to the parent
//   down: P                          to the left child
//         P (+) L (+) x              to the right child; the inclusive result
//         P (+) L                    the exclusive result
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Invariant: W of a block is L (+) x (exclusive: L) after `left_total`, and the result after `prefix`.
class TreeSums {
 public:
  TreeSums(Program& net, bool exclusive, std::int64_t b) : net_(net), exclusive_(exclusive), cut_(net.segments(b)) {
    for (std::int64_t i = 0; i < b; ++i) {
      const Value x = net.input(cut_, i);
      blocks_.push_back({x, nothing, exclusive ? nothing : x});
    }
  }

  std::int64_t count(std::int64_t i) const { return cut_.count(i); }
  void left_total(std::int64_t i, Value L) { at(i).W = exclusive_ ? L : net_.combine(L, at(i).x); }
  void right_total(std::int64_t i, Value R) { at(i).R = R; }
  Value total(std::int64_t i) {
    const Block& block = at(i);
    return exclusive_ ? net_.combine(block.W, net_.combine(block.x, block.R)) : net_.combine(block.W, block.R);
  }
  void prefix(std::int64_t i, Value P) { at(i).W = net_.combine(P, at(i).W); }
  Value through(std::int64_t i) { return exclusive_ ? net_.combine(at(i).W, at(i).x) : at(i).W; }

  void finish() {
    for (std::int64_t i = 0; i < cut_.b; ++i) net_.result(at(i).W, cut_.first(i));
  }

 private:
  struct Block {
    Value x, R, W;
  };
  Block& at(std::int64_t i) { return blocks_[static_cast<std::size_t>(i)]; }

  Program& net_;
  const bool exclusive_;
  const Blocks cut_;
  List<Block> blocks_;
};

}  // namespace mpigraft::prefix
