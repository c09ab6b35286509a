// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/linear_pipeline.hpp"

namespace mpigraft::exscan {

/// A chain of all ranks, block after block, in prefix/linear_pipeline.hpp. Rank r
///   receives  W = x_0 (+) ... (+) x_(r-1)  from rank r-1, and the next block while it works on this one,
///   makes     W (+) x_r                    in scratch, for others only,
///   sends     that                         to rank r+1.
///
/// Example: p = 8, m = 3, blocks of 1. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1
///       2  0[1]>1    0-1[0]>2
///       3  0[2]>1    0-1[1]>2  0-2[0]>3
///       4            0-1[2]>2  0-2[1]>3  0-3[0]>4
///       5                      0-2[2]>3  0-3[1]>4  0-4[0]>5
///       6                                0-3[2]>4  0-4[1]>5  0-5[0]>6
///       7                                          0-4[2]>5  0-5[1]>6  0-6[0]>7
///       8                                                    0-5[2]>6  0-6[1]>7
///       9                                                              0-6[2]>7
struct linear_pipeline : prefix::AlongChain<linear_pipeline, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Speck, Traeff 2009, section 6.3, exclusive form",
      .summary = "a chain of all ranks, block after block: least work and volume",
      .rounds = "p+b-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .text = text,
  };
};

}  // namespace mpigraft::exscan
