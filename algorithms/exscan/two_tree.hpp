// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/two_tree.hpp"

namespace mpigraft::exscan {

/// Two in-order trees, each pipelines one half of the vector; an inner rank of one is a leaf of the other. L and R are
/// the sums of a rank's subtrees, P is that of all ranks before them:
///   way up    receives L from the left, R from the right child; sends L (+) x (+) R to the parent
///   way down  receives P from the parent; sends P to the left, P (+) L (+) x to the right child
/// and keeps W = P (+) L. prefix/two_tree.hpp has the steps, patterns/two_tree_scan.hpp a rank's part in them, and
/// prefix/two_tree_sums.hpp its sums. The messages are those of the inclusive scan.
///
/// Example: p = 8, m = 2. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                        3[1]>2    4[0]>5
///       2            1[1]>2                                  5[1]>6    6[0]>5
///       3                      1-3[1]>4                      4-6[0]>3
///       4  0[1]>4              2[0]>1
///       5            0-2[0]>3                      0-4[1]>6
///       6            0-1[0]>2            0-6[0]>7
///       7                                0-3[0]>5  0[1]>2
///       8                      0[1]>1                        0-5[0]>6  0-4[1]>5
///       9                      0-2[1]>3                      0-3[0]>4  0-6[1]>7
struct two_tree : prefix::ByTwoTrees<two_tree, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Speck, Traeff 2009, section 4.3; exclusive form own",
      .summary = "two in-order trees, each pipelines one half of the vector: sums up, then prefixes down",
      .rounds = "at most 4q+4k-6 for k blocks per half",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .text = text,
  };
};

}  // namespace mpigraft::exscan
