// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::allreduce {

/// Sums of either half flow up its tree as in a reduction, and the total flows down as in a broadcast. An inner rank of
/// one tree is a leaf of the other. A rank begins the way down without waiting for the end of the way up.
///
/// Example: p = 8, m = 2. 0-2[0]>3 is x_0 (+) x_1 (+) x_2 of element 0, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                        3[1]>2    4[0]>5                        7[1]>6
///       2            1[1]>2                                  5[1]>6    6[0]>5
///       3                      1-3[1]>4                      4-6[0]>3
///       4                      2[0]>1                                  5-7[1]>4
///       5            0-2[0]>3                      1-7[1]>0
///       6  0-7[1]>4                      0-6[0]>7
///       7                                          0-7[1]>6                      0-7[0]>3
///       8                                0-7[0]>1
///       9            0-7[0]>2            0-7[0]>5
///      10            0-7[0]>0                      0-7[1]>2  0-7[0]>6  0-7[1]>5
///      11                      0-7[1]>1                      0-7[0]>4  0-7[1]>7
///      12                      0-7[1]>3
inline void two_tree(Program& net) {
  const int p = net.size();
  if (p == 1) return net.result(net.input());
  const two_trees::Halves cut = two_trees::halves_on_trees(p, net.length(), net.params(), 2, true);
  const two_trees::Plan plan = two_trees::plan_among_all(net.rank(), p);
  two_trees::Values sums = two_trees::inputs(net, cut);
  net.overlap(cut.k > 1 ? Overlap::all : Overlap::sends);
  two_trees::walk_up(net, {plan, cut, true}, sums);
  two_trees::Walk(plan, cut, false).go(net, sums.getter(), [&](const two_trees::Pass& in, Value total) {
    sums[in] = total;
  });
  two_trees::give(net, sums);
}

inline constexpr AlgorithmInfo two_tree_info{
    .paper = "Sanders, Speck, Traeff 2009, section 4.2; roots without a rank above: own",
    .summary = "two trees, each pipelines one half of the vector: sums up, then totals down, rank order kept",
    .rounds = "at most 4q+4k-4 for k blocks per half",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::allreduce
