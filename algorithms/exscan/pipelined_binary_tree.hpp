// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_tree.hpp"

namespace mpigraft::exscan {

struct pipelined_binary_tree : scan::OnTree<true, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Traeff 2006, section 3, exclusive form",
      .summary = "in-order binary tree of height n, blocks up and then down, sending and receiving at once",
      .rounds = "4(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
