// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/dissemination_barrier.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::barrier {

struct dissemination {
  template <Transport T>
  static void run(T& net, const Operands& nothing, const Params&) {
    dissemination_barrier(net, nothing.result);
  }
  static constexpr Theorem theorem(int p, std::int64_t, const Params&) { return {.rounds = ceil_log2(p)}; }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "Hensgen, Finkel, Manber 1988",
      .summary = "every rank tells the rank twice as far as in the round before, around the circle",
      .rounds = "q",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::barrier
