// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/along_chain.hpp"

namespace mpigraft::exscan {

struct linear_pipeline : scan::AlongChain<true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Speck, Traeff 2009, section 6.3, exclusive form",
      .summary = "a chain of all ranks, block after block: least work and volume",
      .rounds = "p+b-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
