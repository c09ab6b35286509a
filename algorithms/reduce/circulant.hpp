// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// The broadcast walked backwards: what a rank received it now sends, and what it sent it receives and adds. Invariant:
/// a rank sends a block once, after the last time that it receives it.
struct circulant {
  template <Transport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    const Blocks blocks = circulant_graph::cut(net.size(), V.count, params, true);
    const circulant_graph::Schedule schedule(net.rank(), net.size(), params.root, blocks.b);
    const Block acc = net.rank() == params.root ? W : net.scratch(V.count);
    const Block spare = net.scratch(blocks.count(0));
    net.copy(V, acc);
    for (std::int64_t i = schedule.last(); i >= schedule.first(); --i) {
      const auto out = schedule.receives(i), in = schedule.sends(i);
      const Block arrived = spare.part(0, blocks.count(in.block));
      net.sendrecv(blocks.of(acc, out.block), out.peer, arrived, in.peer);
      if (in.peer != none) net.combine(arrived, blocks.of(acc, in.block));
    }
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Blocks blocks = circulant_graph::cut(p, m, params, true);
    const std::int64_t received = circulant_graph::most_sent(p, blocks);
    const int last = (2 * p - 1 - params.root) % p;
    return {.rounds = static_cast<int>(blocks.b - 1 + ceil_log2(p)),
            .applications = received,
            .applications_last = circulant_graph::sent(last, p, blocks),
            .sent = m,
            .received = received};
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return m + circulant_graph::cut(p, m, params, true).count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Traeff 2022, arXiv:2205.10072; 2024, arXiv:2407.18004",
      .summary = "n blocks on a circulant graph in the fewest rounds, any p, any root",
      .rounds = "n-1+q",
      .commutative = true,
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
