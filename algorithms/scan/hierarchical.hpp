// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/over_nodes.hpp"

namespace mpigraft::scan {

struct hierarchical : Hierarchical<false> {
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
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
