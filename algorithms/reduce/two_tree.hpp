// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::two_trees {

/// Two trees that keep rank order towards any root 0 < i < p-1 while every port carries one vector. (Sanders, Speck,
/// Traeff 2009, footnote 11, take twice that for a lower bound. It is none: the root can send its operand away.) The
/// root is a leaf of both trees and receives their results:
///   half 0: an in-order tree on 0..i-1, in it i as right child of i-1; its root is the left child of i+1 in a mirrored
///           in-order tree on i+1..p-1
///   half 1: 0 with right children: an in-order tree on 1..i-1, and behind it i. p-1 with left children: a mirrored
///           in-order tree on i+1..p-2, and before it 0
/// Over both halves every rank has two parents and two children, so two colours suffice. No closed form is known: O(p).
/// REQUIRES: is_between(root, p).
class AnyRoot {
 public:
  AnyRoot(int p, int root) : p_(p), root_(root), ranks_(static_cast<std::size_t>(p)) {
    for (const int half : {0, 1})
      for (int r = 0; r < p; ++r) {
        Rank& above = at(parent({half, r}));
        above.children[static_cast<std::size_t>(above.count++)] = {half, r};
      }
    color_cycle(at(root).children[0]);  // so that half 0 comes down from the root in step 1
    for (int r = 0; r < p; ++r) color_cycle({0, r});
  }

  bool is_towards(int p, int root) const { return p == p_ && root == root_; }
  Plan plan(int r) {
    Plan plan;
    for (const int half : {0, 1}) Plan::put(plan.above, edge({half, r}, parent({half, r})));
    for (const Up child : at(r).children) Plan::put(plan.below, edge(child, child.rank));
    return plan;
  }

 private:
  /// The edge from `rank` to its parent.
  struct Up {
    int half = 0, rank = 0;
    friend constexpr bool operator==(Up, Up) = default;
  };
  struct Rank {
    std::array<Up, 2> children = {};
    int count = 0;
    int color = none;                    // of its edge up in half 0; that in half 1 has the other colour
    std::array<int, 2> first_step = {};  // of its edge up in either half; 0: not known yet
  };

  Rank& at(int r) { return ranks_[static_cast<std::size_t>(r)]; }
  Edge edge(Up up, int peer) { return {.peer = peer, .half = up.half, .first = first_step(up)}; }

  int parent(Up up) const {
    const int r = up.rank, ranks_above = p_ - 1 - root_;
    const auto or_else = [](int node, int other) { return node == none ? other : node; };
    if (r == root_) return up.half == 0 ? root_ - 1 : 0;
    if (up.half == 0 && r < root_) return or_else(in_order_tree::parent(r, root_), root_ + 1);
    if (up.half == 0) return p_ - 1 - or_else(in_order_tree::parent(p_ - 1 - r, ranks_above), ranks_above);
    if (r == 0) return p_ - 1;
    if (r == p_ - 1) return root_;
    if (r < root_) return in_order_tree::parent(r - 1, root_ - 1) + 1;
    return p_ - 2 - in_order_tree::parent(p_ - 2 - r, ranks_above - 1);
  }

  /// Two edges that share an end get different colours: from `up`, of colour 1, to the rank's other one, on to the
  /// other child of that one's parent, and so on round the cycle.
  void color_cycle(Up up) {
    while (at(up.rank).color == none) {
      at(up.rank).color = up.half == 0 ? 1 : 0;
      const Up other{1 - up.half, up.rank};
      const auto& children = at(parent(other)).children;
      up = children[children[0] == other ? 1 : 0];
    }
  }

  /// First step of the edge's colour after the parent's. In half 1 ranks 0 and p-1 have both children on one side; the
  /// outer one, the root or 0, joins last, so downwards it comes first.
  int first_step(Up up) {
    int& t = at(up.rank).first_step[static_cast<std::size_t>(up.half)];
    if (t > 0) return t;
    const int above = parent(up);
    const int outer = above == 0 ? root_ : above == p_ - 1 ? 0 : none;
    int after = 0;
    if (up.half == 1 && outer != none && up.rank != outer) {
      after = first_step({1, outer});
    } else if (above != root_) {
      after = first_step({up.half, above});
    }
    const int color = up.half == 0 ? at(up.rank).color : 1 - at(up.rank).color;
    return t = (after + color) % 2 == 1 ? after + 1 : after + 2;
  }

  int p_, root_;
  List<Rank> ranks_;
};

}  // namespace mpigraft::two_trees

namespace mpigraft::reduce {

/// `kept`: the trees towards the root last asked for, which are those of the next rank, too.
inline two_trees::Plan plan_of_two_tree(int r, int p, int root, std::shared_ptr<two_trees::AnyRoot>& kept) {
  if (two_trees::is_between(root, p)) {
    if (!kept || !kept->is_towards(p, root))
      kept = std::allocate_shared<two_trees::AnyRoot>(std::pmr::polymorphic_allocator<>(), p, root);
    return kept->plan(r);
  }
  const auto mirror = [&](int v) { return root == 0 ? v : p - 1 - v; };
  return two_trees::plan_below_root(mirror(r), p).renamed([&](const two_trees::Edge& edge) {
    return mirror(edge.peer);
  });
}

/// The broadcast's schedule walked backwards, where the root is rank 0 or p-1; towards any other root, two trees in
/// which it is a leaf. Rank order is kept. Sanders, Speck, Traeff have 2q+2k-2 steps for a root at an end.
///
/// Example: p = 7, m = 4, blocks of 1, root 0. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6
///       1                                3[1]>2    4[3]>5
///       2            1[1]>2    2[3]>1                                  6[3]>5
///       3                      1-3[1]>4            4[2]>5    4-6[3]>3
///       4            1-2[3]>3            3[0]>2              5[1]>6    6[2]>5
///       5            1[0]>2    2[2]>1    1-6[3]>0            4-6[2]>3  5-6[1]>4
///       6            1-2[2]>3  1-3[0]>4            1-6[1]>0  5[0]>6
///       7                                1-6[2]>0                      5-6[0]>4
///       8                                          1-6[0]>0
inline void two_tree(Program& net) {
  using namespace two_trees;
  const int p = net.size(), root = net.params().root;
  if (p == 1) return net.result(net.input());
  const Halves cut = halves_on_trees(p, net.length(), net.params(), 1, true);
  const Walk walk(plan_of_two_tree(net.rank(), p, root, net.kept_trees()), cut, true);
  Values sums = inputs(net, cut);
  const bool is_root = net.rank() == root, gets_result = is_root && is_between(root, p);
  net.overlap(cut.k > 1 && !gets_result ? Overlap::all : Overlap::sends);
  if (gets_result)  // it has parents, but its result is what its children send
    return walk.go(net, sums.getter(), [&](const Pass& in, Value arrived) { net.result(arrived, in.first); });
  walk_up(net, walk, sums);
  if (is_root) give(net, sums);
}

inline constexpr AlgorithmInfo two_tree_info{
    .paper = "Sanders, Speck, Traeff 2009, section 4.2; roots between others: own",
    .summary = "two trees, each pipelines one half of the vector: full bandwidth, rank order kept for every root",
    .rounds = "2q+2k-2 for k blocks per half, 1 more for even p; at most 4q+2k towards roots between others",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce
