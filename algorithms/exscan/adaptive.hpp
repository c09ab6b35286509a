// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// Trades rounds for operator applications by the machine's latency, bandwidth and combine rate, so it is
/// never worse in that model than any algorithm of Traeff 2025.
struct adaptive {
  static constexpr BitPattern pattern(int p, std::int64_t m, const Params& params) {
    return pattern_adaptive(p, m * params.element_bytes, params.machine);
  }
  static void text(Program& net) {
    net.result(by_pattern(net, net.input(), pattern(net.size(), net.length(), net.params())));
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    return theorem_of(pattern(p, m, params), p, m);
  }
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "own; patterns of Traeff 2025 and 2026",
      .summary = "the cheapest bit pattern for p and bytes in the linear cost model",
      .rounds = "q or q+1",
      .varies_with_length = true,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
