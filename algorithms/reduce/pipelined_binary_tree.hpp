// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"

namespace mpigraft::reduce {

/// BinaryTree (patterns/in_order_tree.hpp) is below the root an in-order tree of the lower and one of the higher ranks.
///
/// Example: p = 7, m = 3, blocks of 1, root 0. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6
///       1                                3[0]>2              5[0]>6
///       2            1[0]>2                                  5[1]>6    5-6[0]>4
///       3                      1-3[0]>4  3[1]>2              5[2]>6
///       4            1[1]>2                        1-6[0]>0            5-6[1]>4
///       5                      1-3[1]>4  3[2]>2
///       6            1[2]>2                        1-6[1]>0            5-6[2]>4
///       7                      1-3[2]>4
///       8                                          1-6[2]>0
inline void pipelined_binary_tree(Program& net) { up_tree<BinaryTree>(net); }

inline constexpr AlgorithmInfo pipelined_binary_tree_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2; any root in rank order: own",
    .summary = "b blocks up an in-order binary tree, rank order kept for every root",
    .rounds = "<= 2q+2(b-1)",
    .cuts = Cuts::blocks,
};

}  // namespace mpigraft::reduce
