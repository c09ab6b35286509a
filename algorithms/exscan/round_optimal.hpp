// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

struct round_optimal : ByPattern<pattern_round_optimal> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff 2026, arXiv:2604.25667, first algorithm",
      .summary = "fewest rounds, and among those the fewest inclusive ones",
      .rounds = "q",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
