// SPDX-License-Identifier: MIT
// Two chains that keep rank order towards any root 0 < i < p-1 while every port carries one vector. The root is a leaf
// of both and receives their results:
//   half 0: 0, ..., i-1, there i joins from the right, then i+1, ..., p-1
//   half 1: i-1, ..., 0, there i joins last, then i+1, ..., p-1
// Over both halves every rank has two parents and two children, so all ports are busy. The colours at i+1 decide all
// others. For odd i they alternate along the chains; for even i ranks 1, 2 and 3 branch to make them do so:
//   half 0: 0 and 2 join at 1, then 3      half 1: 3 and 1 join at 2, then 0
#pragma once

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::two_trees {

/// REQUIRES: is_between(root, p).
class TwoChains {
 public:
  constexpr TwoChains(int p, int root) : p_(p), i_(root), a_(p - root) {}

  constexpr Plan plan(int r) const {
    Plan plan;
    for (const int half : {0, 1}) {
      Plan::put(plan.above, edge(half, r, up(half, r).parent));
      for (const int child : {0, r - 2, r - 1, r + 1, r + 2, i_, p_ - 1})
        if (0 <= child && child < p_ && up(half, child).parent == r) Plan::put(plan.below, edge(half, child, child));
    }
    return plan;
  }

 private:
  /// The edge of a rank to its parent.
  struct Up {
    int parent, first_step;
  };

  constexpr Edge edge(int half, int child, int peer) const {
    return {.peer = peer, .half = half, .first = up(half, child).first_step};
  }
  constexpr Up up(int half, int r) const {
    if (r > i_) return {r + 1 < p_ ? r + 1 : i_, p_ - r + half};
    return half == 0 ? up_in_half_0(r) : up_in_half_1(r);
  }
  constexpr bool branches() const { return i_ % 2 == 0 && i_ > 2; }

  /// Downwards a block is at i-1 in step a, and at 0 in half 1 one step later.
  constexpr Up up_in_half_0(int r) const {
    if (r == i_ - 1) return {i_ + 1, a_};
    if (r == i_) return {i_ - 1, i_ <= 2 ? a_ + 1 : a_ + 2};
    if (i_ == 2) return {1, a_ + 2};
    if (!branches() || r >= 3) return {r + 1, a_ + i_ - 1 - r};
    return r == 1 ? Up{3, a_ + i_ - 3} : r == 0 ? Up{1, a_ + i_ - 2} : Up{1, a_ + i_ - 1};
  }
  constexpr Up up_in_half_1(int r) const {
    if (r == 0) return {i_ + 1, a_ + 1};
    if (r == i_) return {0, i_ <= 2 ? a_ + 2 : a_ + 3};
    if (i_ == 2) return {0, a_ + 3};
    if (!branches()) return {r - 1, a_ + 3 + r};
    return r == 1 ? Up{2, a_ + 6} : r == 2 ? Up{0, a_ + 4} : Up{r - 1, a_ + 2 + r};
  }

  int p_, i_, a_;
};

}  // namespace mpigraft::two_trees
