// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/through_pages.hpp"

namespace mpigraft::scan {

struct shared_flat : ThroughPages<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Graham, Shipman 2008",
      .summary = "every rank reads what all lower ones publish in the node's memory",
      .rounds = "min(b, p-1)",
      .pipelined = true,
      .cuts = Cuts::pages,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "simultaneous_binomial",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
