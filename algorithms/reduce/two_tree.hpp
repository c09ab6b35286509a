// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_any_root.hpp"
#include "algorithms/reduce/along_two_trees.hpp"

namespace mpigraft::reduce {

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
struct two_tree {
  static void text(Program& net) {
    const int p = net.size(), root = net.params().root;
    if (p == 1) return net.result(net.input());
    along_two_trees(net, root, plan(net.rank(), p, root), halves(p, net.length(), net.params()));
  }

  static constexpr AlgorithmInfo info{
      .paper = "Sanders, Speck, Traeff 2009, section 2; roots between others: own",
      .summary = "two trees, each pipelines one half of the vector: full bandwidth, rank order kept for every root",
      .rounds = "2q+2k-2 for k blocks per half, 1 more for even p; at most 4q+2k towards roots between others",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
  };

  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {2.0 * ceil_log2(p), 2}, true);
  }
  static two_trees::Plan plan(int r, int p, int root) {
    if (two_trees::is_between(root, p)) return two_trees::plans_towards(p, root)[static_cast<std::size_t>(r)];
    const auto mirror = [&](int v) { return root == 0 ? v : p - 1 - v; };
    return two_trees::plan_below_root(mirror(r), p).renamed([&](const two_trees::Edge& edge) {
      return mirror(edge.peer);
    });
  }
};

}  // namespace mpigraft::reduce
