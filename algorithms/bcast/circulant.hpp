// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// Optimal for every n: the root needs n rounds to send n blocks, and the last one q-1 more to be everywhere. With one
/// block it is a binomial tree.
struct circulant {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    run_in_blocks(net, message, circulant_graph::cut(net.size(), message.count, params, false), params.root);
  }
  template <Transport T>
  static void run_in_blocks(T& net, Block message, const Blocks& blocks, int root) {
    const circulant_graph::Schedule schedule(net.rank(), net.size(), root, blocks.b);
    for (std::int64_t i = schedule.first(); i <= schedule.last(); ++i) {
      const auto out = schedule.sends(i), in = schedule.receives(i);
      net.sendrecv(blocks.of(message, out.block), out.peer, blocks.of(message, in.block), in.peer);
    }
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Blocks blocks = circulant_graph::cut(p, m, params, false);
    return {.rounds = static_cast<int>(blocks.b - 1 + ceil_log2(p)),
            .sent = circulant_graph::most_sent(p, blocks),
            .received = m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Traeff 2022, arXiv:2205.10072; 2023, arXiv:2312.11236",
      .summary = "n blocks on a circulant graph in the fewest rounds, any p, any root",
      .rounds = "n-1+q",
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::bcast
