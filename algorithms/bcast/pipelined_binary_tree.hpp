// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"

namespace mpigraft::bcast {

/// BinaryTree (patterns/in_order_tree.hpp) is below the root an in-order tree of the lower and one of the higher ranks.
///
/// Example: p = 7, m = 3, blocks of 1, root 0. [2]>4 is element 2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1  [0]>4
///       2  [1]>4                           [0]>2
///       3  [2]>4           [0]>1           [0]>6
///       4                  [0]>3           [1]>2           [0]>5
///       5                  [1]>1           [1]>6
///       6                  [1]>3           [2]>2           [1]>5
///       7                  [2]>1           [2]>6
///       8                  [2]>3                           [2]>5
inline void pipelined_binary_tree(Program& net) { down_tree<BinaryTree>(net); }

inline constexpr AlgorithmInfo pipelined_binary_tree_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2",
    .summary = "b blocks down a binary tree, any root",
    .rounds = "<= 2q+2(b-1)",
    .pipelined = true,
};

}  // namespace mpigraft::bcast
