// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/shared_slices.hpp"

namespace mpigraft::exscan {

/// Like transpose, through the node's memory, for each block, in prefix/shared_slices.hpp:
///   step 2i    all publish block i; rank r reads slice r of x_0, ..., x_(p-2)
///              and turns it into S_0 = x_0, S_s = S_(s-1) (+) x_s,
///   step 2i+1  rank r publishes slice r of all S; rank s > 0 gathers S_(s-1) from all.
/// Vectors too short for this go through shared_flat.
///
/// Example: p = 5, m = 5. 0<0 is x_0, read from rank 0.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1                   0<0              1<1 0<0          2<2 1<1 0<0      3<3 2<2 1<1 0<0
struct shared_slices : prefix::BySlices<true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Gorlatch, Lengauer 1997, section 5.3; Graham, Shipman 2008",
      .summary = "all publish a block, every rank scans a p-th of it for all and publishes that",
      .rounds = "2b, 1 for p = 2",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "transpose",
      .text = text,
  };
};

}  // namespace mpigraft::exscan
