// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allreduce {

/// Ranks of the lower tree, which is as high as the upper one or higher.
constexpr int lower_ranks(int p) { return p - p / 2; }

constexpr int dual_root_height(int p) { return in_order_tree::height(lower_ranks(p)); }

/// The place of rank r among all ranks; the root of each tree is the parent of the other's.
constexpr in_order_tree::Place dual_root_place(int r, int p) {
  in_order_tree::Subtree lower_tree{0, lower_ranks(p)},
      upper_tree{lower_ranks(p), p - lower_ranks(p), lower_tree.root()};
  lower_tree.above = upper_tree.root();
  return (r < lower_ranks(p) ? lower_tree : upper_tree).place(r);
}

inline std::int64_t dual_root_blocks(int p, std::int64_t m, const Params& params) {
  return block_count(m, params, {4.0 * dual_root_height(p) + 1, 3}, true);
}

/// A tree on the lower and one on the upper half of the ranks. Sums flow up, the roots exchange them, and totals flow
/// down: a rank turns to one neighbour after the other, and an edge passes the total of a block down while the sum of a
/// later one goes up. The paper's trees are in post-order; in-order ones keep the order of ranks, too, and need no more
/// rounds.
///
/// Example: p = 8, m = 2, blocks of 1. 0-2[1]>3 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                                  4[0]>5
///       2                      2[0]>1                                  6[0]>5
///       3  0[1]>1    0-2[0]>3                      4[1]>5    4-6[0]>7
///       4                      2[1]>1    0-3[0]>7                      6[1]>5    4-7[0]>3
///       5            0-2[1]>3            0-7[0]>1            4-6[1]>7            0-7[0]>5
///       6            0-7[0]>0            0-3[1]>7            0-7[0]>4            4-7[1]>3
///       7            0-7[0]>2            0-7[1]>1            0-7[0]>6            0-7[1]>5
///       8            0-7[1]>0                                0-7[1]>4
///       9            0-7[1]>2                                0-7[1]>6
inline void dual_root(Program& net) {
  const int p = net.size();
  if (p == 1) return net.result(net.input());
  const std::int64_t b = dual_root_blocks(p, net.length(), net.params());
  const in_order_tree::Place v = dual_root_place(net.rank(), p);
  const bool is_root = v.lefts + v.rights == 0, combines = v.left != none || is_root;
  const tree_slots::Walk walk(v.parent, v.left, v.right, tree_slots::turning_slots(v, dual_root_height(p)), b);
  const Blocks cut = net.segments(b);
  List<Value> sums, totals(static_cast<std::size_t>(b));
  for (std::int64_t i = 0; i < b; ++i) sums.push_back(net.input(cut, i));
  // a rank that only sends and receives gets a block in place of one that it has sent
  net.overlap(b > 1 && combines ? Overlap::all : Overlap::sends);
  for (std::int64_t s = 0; s < 3 * (b - 1) + 4 * dual_root_height(p) + 1; ++s) {
    const auto out = walk.out(s), in = walk.in(s);
    net.begin_round();
    if (out.peer != none)
      net.send((out.peer == v.parent ? sums : totals)[static_cast<std::size_t>(out.index)], out.peer);
    if (in.peer == none) continue;
    const Value arrived = net.recv(in.peer, cut.count(in.index));
    Value& sum = sums[static_cast<std::size_t>(in.index)];
    Value& total = totals[static_cast<std::size_t>(in.index)];
    if (in.peer == v.parent && !is_root)
      total = arrived;
    else if (in.peer == v.parent)
      total = v.parent > net.rank() ? net.combine(sum, arrived) : net.combine(arrived, sum);
    else
      sum = in.peer == v.left ? net.combine(arrived, sum) : net.combine(sum, arrived);
  }
  for (std::int64_t i = 0; i < b; ++i) net.result(totals[static_cast<std::size_t>(i)], cut.first(i));
}

inline constexpr AlgorithmInfo dual_root_info{
    .paper = "Traeff 2021, arXiv:2109.12626; trees: Sanders, Traeff 2006, section 2.3",
    .summary = "two trees whose roots exchange, sums on their way up while totals come down, rank order kept",
    .rounds = "at most 3(b-1)+4n+1",
    .cuts = Cuts::blocks,
};

}  // namespace mpigraft::allreduce
