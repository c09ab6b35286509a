// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/pipelined_binary_tree.hpp"

namespace mpigraft::scan {

/// Rank r is a node of the in-order tree (patterns/in_order_tree.hpp), in prefix/pipelined_binary_tree.hpp. L and R are
/// the sums of its subtrees, P is that of all ranks before them:
///   all blocks up    receives L from the left, R from the right child; sends L (+) x (+) R to the parent
///   all blocks down  receives P from the parent; sends P to the left, P (+) L (+) x to the right child
/// and keeps W = P (+) L (+) x.
///
/// Example: p = 7, m = 2, blocks of 1. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6
///       1  0[0]>1                                  4[0]>5
///       2                      2[0]>1              4[1]>5
///       3  0[1]>1    0-2[0]>3
///       4                      2[1]>1
///       5            0-2[1]>3
///       6            0-1[0]>2            0-3[0]>5
///       7            0-1[1]>2            0-3[1]>5            0-3[0]>4
///       8                                                    0-5[0]>6
///       9                                                    0-3[1]>4
///      10                                                    0-5[1]>6
struct pipelined_binary_tree : prefix::OnTree<pipelined_binary_tree, false, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 3",
      .summary = "in-order binary tree of height n, blocks up and then down, sending and receiving at once",
      .rounds = "4(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .associates_like = "binary_tree",
      .text = text,
  };
};

}  // namespace mpigraft::scan
