// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_node_tree.hpp"

namespace mpigraft::scan {

struct smp_tree_b : scan::OnNodeTree<node_tree::B, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 4",
      .summary = "doubly pipelined on an in-order tree of the nodes' first ranks, with those of the other ranks below",
      .rounds = "at most 3(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .varies_with_nodes = true,
      .placement = Placement::consecutive,
      .flat = "doubly_pipelined_binary_tree",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
