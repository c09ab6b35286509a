// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/by_lanes.hpp"

namespace mpigraft::exscan {

struct lane : scan::ByLanes<true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff, Hunold 2020, lanes; Gorlatch, Lengauer 1997, section 5.3, exclusive form, in nodes",
      .summary = "all to all in equal nodes, their c ranks scan a c-th of the vector each between nodes, and back",
      .rounds = "2(c-1) + log2 N, or N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::equal,
      .flat = "transpose",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
