// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/by_transpose.hpp"

namespace mpigraft::scan {

struct transpose : ByTranspose<false> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Gorlatch, Lengauer 1997, section 5.3",
      .summary = "all-to-all, every rank scans a p-th of all vectors, all-to-all back: no application is redundant",
      .rounds = "2(p-1), p-1 for m < p",
      .cuts = Cuts::always,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
