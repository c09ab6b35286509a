// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

struct doubling_123 : ByPattern<pattern_123> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff 2025, section 2, Algorithm 1",
      .summary = "skips 1, 2, 3, 6, 12, ...: one inclusive round after the first",
      .rounds = "ceil(log2(p-1) + log2(4/3))",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
