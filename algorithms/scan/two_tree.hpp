// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/by_two_trees.hpp"

namespace mpigraft::scan {

/// Two walks of at most 2q+2k-2 steps; together they take fewer, since no rank waits where it has nothing to do.
struct two_tree : ByTwoTrees<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Speck, Traeff 2009, section 4.3",
      .summary = "two in-order trees, each pipelines one half of the vector: sums up, then prefixes down",
      .rounds = "at most 5q+4k-6 for k blocks per half",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_blocks = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
