// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/hierarchical.hpp"

namespace mpigraft::scan {

/// Two levels, in prefix/hierarchical.hpp. In a node L is the prefix up to the rank, T that of the node's last rank:
///   1. within each node     L               scan/simultaneous_binomial
///   2. between last ranks   P = T_0 (+) ... (+) T_(i-1) of the nodes before: along a chain in blocks, or by doubling
///   3. within each node     P to all        bcast/binomial
///   4. every rank           W = P (+) L
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
      .flat = "simultaneous_binomial",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::scan
