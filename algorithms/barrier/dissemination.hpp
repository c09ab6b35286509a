// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/dissemination_barrier.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::barrier {

struct dissemination {
  static void text(Program& net) { dissemination_barrier(net); }
  static constexpr Theorem theorem(int p, std::int64_t, const Params&) { return {.rounds = ceil_log2(p)}; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "Hensgen, Finkel, Manber 1988",
      .summary = "every rank tells the rank twice as far as in the round before, around the circle",
      .rounds = "q",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::barrier
