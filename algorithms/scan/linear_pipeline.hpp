// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/linear_pipeline.hpp"

namespace mpigraft::scan {

/// A chain of all ranks, block after block, in prefix/linear_pipeline.hpp. Rank r
///   receives  T = x_0 (+) ... (+) x_(r-1)  from rank r-1, and the next block while it works on this one,
///   makes     W = T (+) x_r,
///   sends     W                            to rank r+1.
struct linear_pipeline : prefix::AlongChain<linear_pipeline, false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Speck, Traeff 2009, section 6.3",
      .summary = "a chain of all ranks, block after block: least work and volume",
      .rounds = "p+b-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::scan
