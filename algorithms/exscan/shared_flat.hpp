// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/through_pages.hpp"

namespace mpigraft::exscan {

struct shared_flat : scan::ThroughPages<true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Graham, Shipman 2008",
      .summary = "every rank reads what all lower ones publish in the node's memory",
      .rounds = "min(b, p-1)",
      .pipelined = true,
      .cuts = Cuts::pages,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "doubling_123",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
