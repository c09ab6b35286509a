// SPDX-License-Identifier: MIT
// A rank's part in a scan along two trees, in which sums flow up and then prefixes down.
#pragma once

#include <array>

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::two_trees {

/// The trees have an even number of members, in rank order. For odd p rank 0 is above both, and feeds them with its
/// input as the prefix of all. Two kinds of edges stay silent, because nobody needs what they would pass: a sum that
/// includes the last rank and, for even p, the prefix of a subtree that includes the first.
struct ScanPlan {
  Plan up, down;
  std::array<bool, 2> left = {}, right = {}, sends_up = {}, has_prefix = {};  // per half
  /// True if the right subtree's sum comes before the left one's, and the prefix goes to the left before the right.
  std::array<bool, 2> right_up_first = {};

  ScanPlan(int r, int p, int left_first) {
    const int offset = 1 - p % 2;
    const auto plan = [&](int apart) { return plan_of_member(r + offset, p - p % 2, 0, apart); };
    up = plan(left_first).renamed([&](const Edge& edge) { return edge.covers_last ? none : edge.peer - offset; });
    down =
        plan(0).renamed([&](const Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {
      const Edge &sum = up.below[color], &other = up.below[1 - color], &to_right = down.below[color];
      mark(left, sum, sum.peer < r);
      mark(right, to_right, to_right.peer > r);
      mark(right_up_first, sum, sum.peer > r && other.peer != none && other.first < sum.first);
      mark(sends_up, up.above[color], true);
      mark(has_prefix, down.above[color], true);
    }
  }

  /// True if the rank has room of its own for sums of this half, in the exclusive or the inclusive scan.
  bool keeps_sums(int half, bool exclusive) const {
    const auto h = static_cast<std::size_t>(half);
    return left[h] && right[h] && right_up_first[h] != exclusive;
  }

 private:
  static void mark(std::array<bool, 2>& flags, const Edge& edge, bool holds) {
    if (edge.peer != none && holds) flags[static_cast<std::size_t>(edge.half)] = true;
  }
};

}  // namespace mpigraft::two_trees
