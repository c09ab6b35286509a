// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/reduce/along_tree.hpp"

namespace mpigraft::reduce {

/// Two chains that end in the root: 0, ..., root-1 and p-1, ..., root+1.
struct Chains {
  static constexpr TreeNode node(int r, int p, int root) {
    const int lower = r > 0 ? r - 1 : none, upper = r + 1 < p ? r + 1 : none;
    if (r == root) return {none, lower, upper};
    return r < root ? TreeNode{upper, lower, none} : TreeNode{lower, none, upper};
  }
  static constexpr Pipeline rounds(int p, int root) {
    const int above = p - 1 - root;
    if (root == 0 || above == 0) return {p - 1.0, 1};
    return {static_cast<double>(std::max(root, above + 1)), 2};
  }
};

struct linear_pipeline : AlongTree<Chains> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Sanders, Speck, Traeff 2009, section 1; any root in rank order: own",
      .summary = "b blocks along two chains towards the root, rank order kept for every root",
      .rounds = "p+b-2 to rank 0 or p-1",
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
