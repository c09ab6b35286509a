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
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    run_by_pattern(net, V, W, pattern(net.size(), V.count, params));
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    return theorem_of(pattern(p, m, params), p, m);
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return scratch_of(pattern(p, m, params), m);
  }
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "own; patterns of Traeff 2025 and 2026",
      .summary = "the cheapest bit pattern for p and bytes in the linear cost model",
      .rounds = "q or q+1",
      .varies_with_length = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
