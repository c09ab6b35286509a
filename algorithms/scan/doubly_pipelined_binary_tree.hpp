// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/on_tree_doubly.hpp"

namespace mpigraft::scan {

struct doubly_pipelined_binary_tree : OnTreeDoubly<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 3",
      .summary = "in-order binary tree of height n, blocks up and down at once, two-way with one neighbour at a time",
      .rounds = "3(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
