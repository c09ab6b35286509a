// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/along_tree.hpp"

namespace mpigraft::bcast {

struct pipelined_binary_tree : AlongTree<BinaryTree> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Sanders, Speck, Traeff 2009, section 1",
      .summary = "b blocks down a binary tree, any root",
      .rounds = "<= 2q+2(b-1)",
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::bcast
