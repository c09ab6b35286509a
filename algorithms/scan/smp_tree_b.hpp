// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/smp_tree.hpp"

namespace mpigraft::scan {

/// doubly_pipelined_binary_tree on another tree (node_tree::B in patterns/node_tree.hpp), in prefix/smp_tree.hpp:
///   the first ranks of all nodes have an in-order tree;
///   the other ranks of a node have one, too, which hangs on the right of the first rank,
///   or, where that has a right child, on the left of the next node's first rank.
/// It is lower than that of smp_tree_a, and more edges cross the borders of nodes.
struct smp_tree_b : prefix::OnNodeTree<smp_tree_b, node_tree::B, false> {
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
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::scan
