// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/info.hpp"
#include "algorithms/reduce/binomial.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::barrier {

/// A reduction of nothing to rank 0, and a broadcast from there: half the messages of a dissemination in twice the
/// rounds.
struct binomial {
  template <Transport T>
  static void run(T& net, const Operands& nothing, const Params& params) {
    reduce::binomial::run(net, nothing, params);
    bcast::send_from_root(net, nothing.result, params.root);
  }
  static constexpr Theorem theorem(int p, std::int64_t, const Params&) { return {.rounds = 2 * ceil_log2(p)}; }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "Yew, Tzeng, Lawrie 1987",
      .summary = "up and down a binomial tree",
      .rounds = "2q",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::barrier
