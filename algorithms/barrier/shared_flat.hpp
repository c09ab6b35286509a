// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::barrier {

/// Each rank publishes that it has come, and looks at all others.
struct shared_flat {
  template <SharedTransport T>
  static void run(T& net, const Operands& nothing, const Params&) {
    const int p = net.size(), r = net.rank();
    if (p > 1) net.publish(nothing.input, 0);
    for (int i = 1; i < p; ++i) net.read({.owner = (r + i) % p}, nothing.result);
  }
  static constexpr Theorem theorem(int p, std::int64_t, const Params&) { return {.rounds = p > 1 ? 1 : 0}; }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "Graham, Shipman 2008",
      .summary = "each rank publishes in the node's memory that it has come, and looks at all others",
      .rounds = "1",
      .placement = Placement::one,
      .flat = "dissemination",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::barrier
