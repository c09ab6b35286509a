// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/hierarchical.hpp"

namespace mpigraft::scan {

/// Two levels, in prefix/hierarchical.hpp. In a node L is the prefix up to the rank, T that of the node's last rank:
///   1. within each node     L               scan/hillis_steele
///   2. between last ranks   P = T_0 (+) ... (+) T_(i-1) of the nodes before: along a chain in blocks, or by doubling
///   3. within each node     P to all        bcast/binomial
///   4. every rank           W = P (+) L
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-1[0]>3 is element 0 of x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0>1                 2>3                 4>5                 6>7
///       2            0-1[0]>3
///       3            0-1[1]>3            0-3[0]>5
///       4            0-1[2]>3            0-3[1]>5            0-5[0]>7
///       5                                0-3[2]>5            0-5[1]>7
///       6                                0-1>2               0-5[2]>7
///       7                                                    0-3>4               0-5>6
struct hierarchical : prefix::Hierarchical<hierarchical, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "MPICH, scan_intra_smp; Traeff 2025, section 2, between nodes",
      .summary = "within nodes, between their last ranks by doubling or along a chain, within nodes again",
      .rounds = "about 2 log2 c + log2 N, or N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::consecutive,
      .flat = "hillis_steele",
      .text = text,
  };
};

}  // namespace mpigraft::scan
