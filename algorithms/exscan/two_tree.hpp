// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/by_two_trees.hpp"

namespace mpigraft::exscan {

/// The inclusive scan's messages, with the own input left out of what a rank keeps.
struct two_tree : scan::ByTwoTrees<true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Speck, Traeff 2009, section 4.3; exclusive form own",
      .summary = "two in-order trees, each pipelines one half of the vector: sums up, then prefixes down",
      .rounds = "at most 4q+4k-6 for k blocks per half",
      .pipelined = true,
      .cuts = Cuts::always,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
