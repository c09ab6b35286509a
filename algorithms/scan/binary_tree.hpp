// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/pipelined_binary_tree.hpp"

namespace mpigraft::scan {

/// pipelined_binary_tree with one block, so that nothing overlaps: sums up, then prefixes down an in-order tree.
/// The paper's 4n-2 rounds hold for complete trees.
///
/// Example: p = 8, m = 1. 0-2>3 is x_0 (+) ... (+) x_2, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1                             4>5
///       2                  2>1                             6>5
///       3          0-2>3
///       4          0-1>2                           4-6>3
///       5                          0-6>7
///       6                          0-3>5
///       7                                          0-3>4
///       8                                          0-5>6
inline void binary_tree(Program& net) { prefix::two_phases(net, false, 1); }

inline constexpr AlgorithmInfo binary_tree_info{
    .paper = "Sanders, Traeff 2006, section 2.3",
    .summary = "in-order binary tree of height n, whole messages up and then down",
    .rounds = "4n-2",
    .scales = true,
};

}  // namespace mpigraft::scan
