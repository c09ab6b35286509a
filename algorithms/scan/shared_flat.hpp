// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/shared_flat.hpp"

namespace mpigraft::scan {

/// One step through the node's memory for each block, in prefix/shared_flat.hpp. Rank r
///   publishes  x_r,
///   reads      x_(r-1), ..., x_0, and makes W = x_s (+) W of each, from W = x_r on.
/// No rank waits for another's sum; the price is p-1 applications at rank p-1.
///
/// Example: p = 5, m = 1. 0<0 is x_0, read from rank 0.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1                   0<0              1<1 0<0          2<2 1<1 0<0      3<3 2<2 1<1 0<0
struct shared_flat : prefix::ThroughPages<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Graham, Shipman 2008",
      .summary = "every rank reads what all lower ones publish in the node's memory",
      .rounds = "min(b, p-1)",
      .pipelined = true,
      .cuts = Cuts::pages,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "hillis_steele",
      .text = text,
  };
};

}  // namespace mpigraft::scan
