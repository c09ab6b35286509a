// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// Each block is written once, for all to read.
struct shared_flat {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    const Blocks cut = in_pages(message.count, params);
    for (std::int64_t i = 0; net.size() > 1 && i < cut.b; ++i) {
      if (net.rank() == params.root)
        net.publish(cut.of(message, i), i);
      else
        net.read({.owner = params.root, .step = i}, cut.of(message, i));
    }
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    if (p == 1) return {};
    return {.rounds = 1, .sent = m, .received = m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Graham, Shipman 2008",
      .summary = "the root publishes blocks in the node's memory, all read them",
      .rounds = "1",
      .pipelined = true,
      .placement = Placement::one,
      .flat = "binomial",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::bcast
