// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/smp_tree.hpp"

namespace mpigraft::exscan {

/// doubly_pipelined_binary_tree on another tree (node_tree::A in patterns/node_tree.hpp), in prefix/smp_tree.hpp:
///   every node has an in-order tree of its ranks; over the nodes there is one more;
///   the root of a node's tree hangs on the node above it, to the left of its first or to the right of its last rank.
/// So the tree of all ranks is in order, and N-1 of its edges cross the borders of N nodes.
struct smp_tree_a : prefix::OnNodeTree<smp_tree_a, node_tree::A, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Traeff 2006, section 4, exclusive form",
      .summary = "doubly pipelined on in-order trees of the nodes, hung on one over the nodes: N-1 edges cross borders",
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

}  // namespace mpigraft::exscan
