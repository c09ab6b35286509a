// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/reduce/along_tree.hpp"

namespace mpigraft::reduce {

struct pipelined_binary_tree : AlongTree<BinaryTree> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Sanders, Speck, Traeff 2009, section 1; any root in rank order: own",
      .summary = "b blocks up an in-order binary tree, rank order kept for every root",
      .rounds = "<= 2q+2(b-1)",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
