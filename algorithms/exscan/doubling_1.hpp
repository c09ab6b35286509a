// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

struct doubling_1 : ByPattern<pattern_1> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff 2025, section 2",
      .summary = "shift by one rank, then straight doubling over p-1 ranks",
      .rounds = "1 + ceil(log2(p-1))",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
