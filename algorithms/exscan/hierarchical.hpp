// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/hierarchical.hpp"

namespace mpigraft::exscan {

/// Two levels, in prefix/hierarchical.hpp. In a node L is the prefix before the rank, T the node's total:
///   1. within each node     L               exscan/adaptive; the last rank makes T = L (+) x
///   2. between last ranks   P = T_0 (+) ... (+) T_(i-1) of the nodes before: along a chain in blocks, or by doubling
///   3. within each node     P to all        bcast/binomial
///   4. every rank           W = P (+) L, or P at a node's first rank
struct hierarchical : prefix::Hierarchical<hierarchical, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "MPICH, scan_intra_smp; Traeff 2025, section 2, between nodes",
      .summary = "within nodes, between their last ranks by doubling or along a chain, within nodes again",
      .rounds = "about 2 log2 c + log2 N, or N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .varies_with_length = true,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::consecutive,
      .flat = "adaptive",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
