// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"

namespace mpigraft::exscan {

/// The sums of pipelined_binary_tree, with blocks up and down under way at once, in
/// prefix/doubly_pipelined_binary_tree.hpp. The three edges of a rank take turns
/// (patterns/tree_slots.hpp): in a slot one of them passes
///   a total up     L (+) x (+) R of a later block, or
///   a prefix down  P to the left, P (+) L (+) x to the right, of an earlier block, or
///   both at once.
/// So a block follows the one before it after three rounds; prefix/tree_sums.hpp joins them to W = P (+) L.
///
/// Example: p = 8, m = 3, blocks of 1. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                                  4[0]>5
///       2            0-1[0]>2  2[0]>1                                  6[0]>5
///       3  0[1]>1    0-2[0]>3
///       4            0-1[1]>2  2[1]>1    0-3[0]>5            4-6[0]>3
///       5  0[2]>1    0-2[1]>3            0-6[0]>7  4[1]>5    0-3[0]>4
///       6            0-1[2]>2  2[2]>1                        0-5[0]>6  6[1]>5
///       7                                0-3[1]>5            4-6[1]>3
///       8            0-2[2]>3            0-6[1]>7  4[2]>5    0-3[1]>4
///       9                                                    0-5[1]>6  6[2]>5
///      10                                0-3[2]>5            4-6[2]>3
///      11                                0-6[2]>7            0-3[2]>4
///      12                                                    0-5[2]>6
struct doubly_pipelined_binary_tree : prefix::OnTreeDoubly<doubly_pipelined_binary_tree, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Traeff 2006, section 3, exclusive form",
      .summary = "in-order binary tree of height n, blocks up and down at once, two-way with one neighbour at a time",
      .rounds = "3(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .associates_like = "pipelined_binary_tree",
      .text = text,
  };
};

}  // namespace mpigraft::exscan
