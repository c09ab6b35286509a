// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/prefix/tree_sums.hpp"

namespace mpigraft::prefix {

inline std::int64_t doubly_pipelined_blocks(int height, std::int64_t m, const Params& params) {
  return block_count(m, params, {4.0 * height - 2, 3}, true);
}

/// The rank at place v of an in-order tree of this height. A right child's total leaves one slot after it has come,
/// joined; a prefix goes to the left one slot after it has come, as it is.
inline void doubly_pipelined(Program& net, bool exclusive, const in_order_tree::Place& v, int height) {
  const std::int64_t b = doubly_pipelined_blocks(height, net.length(), net.params());
  const tree_slots::Plan plan = tree_slots::plan(v, height);
  const Blocks cut = net.segments(b);
  List<TreeSums> blocks = tree_sums(net, cut);
  const auto at = [&](std::int64_t i) -> TreeSums& { return blocks[static_cast<std::size_t>(i)]; };
  for (std::int64_t slot = 1; slot <= 3 * (b - 1) + 4 * height - 2; ++slot) {
    const auto turn = static_cast<std::size_t>(slot % 3);
    const tree_slots::Edge &out = plan.out[turn], &in = plan.in[turn];
    const std::int64_t departing = out.block(slot, b), arriving = in.block(slot, b);
    if (departing != none)
      net.send(out.peer == v.parent ? at(departing).total(net, exclusive)
               : out.peer == v.left ? at(departing).P
                                    : at(departing).through(net, exclusive, exclusive),
               out.peer);
    if (arriving == none) continue;
    TreeSums& sums = at(arriving);
    (in.peer == v.left ? sums.L : in.peer == v.right ? sums.R : sums.P) = net.recv(in.peer, sums.x.count);
    if (in.peer != v.right) sums.result(net, exclusive);  // made as soon as it can be
  }
  for (std::int64_t i = 0; i < b; ++i) net.result(at(i).result(net, exclusive), cut.first(i));
}

/// The sums of pipelined_binary_tree, with blocks up and down under way at once. The three edges of a rank take turns
/// (patterns/tree_slots.hpp): in a slot one of them passes a total of a later block up, a prefix of an earlier one
/// down, or both. So a block follows the one before it after three rounds.
///
/// Example: p = 8, m = 2, blocks of 1. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                                  4[0]>5
///       2            0-1[0]>2  2[0]>1                                  6[0]>5
///       3  0[1]>1    0-2[0]>3
///       4            0-1[1]>2  2[1]>1    0-3[0]>5            4-6[0]>3
///       5            0-2[1]>3            0-6[0]>7  4[1]>5    0-3[0]>4
///       6                                                    0-5[0]>6  6[1]>5
///       7                                0-3[1]>5            4-6[1]>3
///       8                                0-6[1]>7            0-3[1]>4
///       9                                                    0-5[1]>6
template <bool exclusive>
void doubly_pipelined_binary_tree(Program& net) {
  const int p = net.size();
  doubly_pipelined(net, exclusive, in_order_tree::place(net.rank(), p), in_order_tree::height(p));
}

template <bool exclusive>
inline constexpr AlgorithmInfo doubly_pipelined_binary_tree_info{
    .paper = exclusive ? "Sanders, Traeff 2006, section 2.3, exclusive form" : "Sanders, Traeff 2006, section 2.3",
    .summary = "in-order binary tree of height n, blocks up and down at once, two-way with one neighbour at a time",
    .rounds = "3(b-1)+4n-2",
    .cuts = Cuts::blocks,
    .associates_like = exclusive ? "pipelined_binary_tree" : "binary_tree",
};

}  // namespace mpigraft::prefix
