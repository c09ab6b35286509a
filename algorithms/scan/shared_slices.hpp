// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/by_slices.hpp"

namespace mpigraft::scan {

struct shared_slices : BySlices<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Gorlatch, Lengauer 1997, section 5.3; Graham, Shipman 2008",
      .summary = "all publish a block, every rank scans a p-th of it for all and publishes that",
      .rounds = "2b",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "transpose",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
