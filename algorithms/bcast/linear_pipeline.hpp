// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/along_tree.hpp"

namespace mpigraft::bcast {

/// One chain through all ranks: root, root+1, ..., p-1, 0, ..., root-1.
struct Chain {
  static constexpr TreeNode node(int r, int p, int root) {
    const int before = (r > 0 ? r : p) - 1, after = r + 1 < p ? r + 1 : 0;
    return {r == root ? none : before, after == root ? none : after, none};
  }
  static constexpr Pipeline rounds(int p, int) { return {p - 1.0, 1}; }
};

struct linear_pipeline : AlongTree<linear_pipeline, Chain> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Sanders, Speck, Traeff 2009, section 1",
      .summary = "b blocks along one chain, any root",
      .rounds = "p+b-2",
      .pipelined = true,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::bcast
