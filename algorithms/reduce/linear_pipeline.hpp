// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"
#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::reduce {

/// Two chains that keep rank order towards any root 0 < i < p-1 while every port carries one vector. The root is a leaf
/// of both and receives their results:
///   half 0: 0, ..., i-1, there i joins from the right, then i+1, ..., p-1
///   half 1: i-1, ..., 0, there i joins last, then i+1, ..., p-1
/// Over both halves every rank has two parents and two children, so all ports are busy. The colours at i+1 decide all
/// others. For odd i they alternate along the chains; for even i ranks 1, 2 and 3 branch to make them do so:
///   half 0: 0 and 2 join at 1, then 3      half 1: 3 and 1 join at 2, then 0
/// REQUIRES: is_between(root, p).
class TwoChains {
 public:
  constexpr TwoChains(int p, int root) : p_(p), i_(root), a_(p - root) {}

  constexpr two_trees::Plan plan(int r) const {
    two_trees::Plan plan;
    for (const int half : {0, 1}) {
      two_trees::Plan::put(plan.above, edge(half, r, up(half, r).parent));
      for (const int child : {0, r - 2, r - 1, r + 1, r + 2, i_, p_ - 1})
        if (0 <= child && child < p_ && up(half, child).parent == r)
          two_trees::Plan::put(plan.below, edge(half, child, child));
    }
    return plan;
  }

 private:
  /// The edge of a rank to its parent.
  struct Up {
    int parent, first_step;
  };

  constexpr two_trees::Edge edge(int half, int child, int peer) const {
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

inline two_trees::Halves halves_of_two_chains(int p, std::int64_t m, const Params& params) {
  return two_trees::halves_of(m, params, {p + 2.0, 2}, true);
}

/// One chain if the root is at an end. Towards any other root two chains, each for one half of the vector, in which the
/// root sends its operand away. Two chains that end in the root would bring it two vectors. (Sanders, Speck, Traeff
/// 2009, footnote 11, take that for a lower bound.)
///
/// Example: p = 5, m = 3, blocks of 1, root 0. 3-4[0]>2 is element 0 of x_3 (+) x_4, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4
///       1                                          4[0]>3
///       2                                3-4[0]>2  4[1]>3
///       3                      2-4[0]>1  3-4[1]>2  4[2]>3
///       4            1-4[0]>0  2-4[1]>1  3-4[2]>2
///       5            1-4[1]>0  2-4[2]>1
///       6            1-4[2]>0
inline void linear_pipeline(Program& net) {
  using namespace two_trees;
  const int p = net.size(), root = net.params().root;
  if (!is_between(root, p)) return up_tree<Chain>(net);
  two_trees::reduce(net, root, TwoChains(p, root).plan(net.rank()),
                    halves_of_two_chains(p, net.length(), net.params()));
}

inline constexpr AlgorithmInfo linear_pipeline_info{
    .paper = "Sanders, Speck, Traeff 2009, section 1; any root in rank order: own",
    .summary = "b blocks along one chain, or along two towards roots between others, rank order kept for every root",
    .rounds = "p+b-2; at most p+2k for k blocks per half towards roots between others",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce
