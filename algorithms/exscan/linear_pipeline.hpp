// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/linear_pipeline.hpp"

namespace mpigraft::exscan {

/// A chain of all ranks, block after block, in prefix/linear_pipeline.hpp. Rank r
///   receives  W = x_0 (+) ... (+) x_(r-1)  from rank r-1, and the next block while it works on this one,
///   makes     W (+) x_r                    in scratch, for others only,
///   sends     that                         to rank r+1.
struct linear_pipeline : prefix::AlongChain<linear_pipeline, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Speck, Traeff 2009, section 6.3, exclusive form",
      .summary = "a chain of all ranks, block after block: least work and volume",
      .rounds = "p+b-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
