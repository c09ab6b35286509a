// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_tree.hpp"

namespace mpigraft::scan {

/// One block: the pipeline that is never filled. The paper's 4n-2 holds for complete trees.
struct binary_tree : OnTree<false, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2.3",
      .summary = "in-order binary tree of height n, whole messages up and then down",
      .rounds = "4n-2",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
