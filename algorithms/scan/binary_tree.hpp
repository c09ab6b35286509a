// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/pipelined_binary_tree.hpp"

namespace mpigraft::scan {

/// pipelined_binary_tree with one block, so that nothing overlaps: sums up, then prefixes down an in-order tree, in
/// prefix/pipelined_binary_tree.hpp. The paper's 4n-2 rounds hold for complete trees.
struct binary_tree : prefix::OnTree<binary_tree, false, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2.3",
      .summary = "in-order binary tree of height n, whole messages up and then down",
      .rounds = "4n-2",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::scan
