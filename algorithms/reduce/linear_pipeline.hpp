// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"
#include "algorithms/reduce/two_tree.hpp"

namespace mpigraft::reduce {

/// One chain, if the root is at an end. Two that end in a root between others would bring it two vectors, which its
/// port takes one after the other; towards such a root run two trees.
///
/// Example: p = 5, m = 3, blocks of 1, root 0. 3-4[0]>2 is element 0 of x_3 (+) x_4, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4
///       1                                          4[0]>3
///       2                                3-4[0]>2  4[1]>3
///       3                      2-4[0]>1  3-4[1]>2  4[2]>3
///       4            1-4[0]>0  2-4[1]>1  3-4[2]>2
///       5            1-4[1]>0  2-4[2]>1
///       6            1-4[2]>0
inline void linear_pipeline(Program& net) {
  if (two_trees::is_between(net.params().root, net.size())) return two_tree(net);
  up_tree<Chain>(net);
}

inline constexpr AlgorithmInfo linear_pipeline_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2",
    .summary = "b blocks along a chain, as two_tree towards roots between others, rank order kept for every root",
    .rounds = "p+b-2; those of two_tree towards roots between others",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce
