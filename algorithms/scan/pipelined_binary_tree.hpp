// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_tree.hpp"

namespace mpigraft::scan {

struct pipelined_binary_tree : OnTree<false, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 3",
      .summary = "in-order binary tree of height n, blocks up and then down, sending and receiving at once",
      .rounds = "4(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
