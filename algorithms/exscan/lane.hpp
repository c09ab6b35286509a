// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/lane.hpp"

namespace mpigraft::exscan {

/// Nodes of c ranks, rank j of each owns piece j, a c-th of the vector, in prefix/lane.hpp:
///   1. all to all in the node   rank j receives piece j of its node's vectors, and scans it: S_0, ..., S_(c-1)
///   2. lane of all ranks j      P = the totals S_(c-1) of the nodes before: along a chain in blocks, or by doubling
///   3. every owner              P (+) S_(s-1) for every s
///   4. all to all back          rank s receives piece j of P (+) S_(s-1) from rank j, for every j
/// With fewer elements than a node has ranks, hierarchical runs.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-2[0-1]>3 is elements 0 and 1 of x_0 (+) ... (+) x_2, sent to
/// rank 3.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1  0[2]>1      1[0-1]>0    2[2]>3      3[0-1]>2    4[2]>5      5[0-1]>4    6[2]>7      7[0-1]>6
///       2  0-1[0]>2    0-1[2]>3
///       3  0-1[1]>2    >3          0-3[0]>4    0-3[2]>5
///       4  0[0-1]>1                0-3[1]>4    >5          0-5[0]>6    0-5[2]>7
///       5                          0-2[0-1]>3  0-1[2]>2    0-5[1]>6    >7
///       6                                                  0-4[0-1]>5  0-3[2]>4    0-6[0-1]>7  0-5[2]>6
struct lane : prefix::ByLanes<lane, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff, Hunold 2020, lanes; Gorlatch, Lengauer 1997, section 5.3, exclusive form, in nodes",
      .summary = "all to all in equal nodes, their c ranks scan a c-th of the vector each between nodes, and back",
      .rounds = "2(c-1) + log2 N, or N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::equal,
      .flat = "transpose",
      .text = text,
  };
};

}  // namespace mpigraft::exscan
