// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_node_tree.hpp"

namespace mpigraft::scan {

struct smp_tree_a : scan::OnNodeTree<node_tree::A, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 4",
      .summary = "doubly pipelined on in-order trees of the nodes, hung on one over the nodes: N-1 edges cross borders",
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
