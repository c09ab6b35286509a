// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// All publish, and every rank combines x_(p-1), ..., x_0, in this order. The sum is made in scratch, because the own
/// input may lie in W; only the last combination writes W.
struct shared_flat {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (p == 1) return net.copy(V, W);
    const Blocks cut = in_pages(V.count, params);
    const Block in = net.scratch(cut.count(0)), beside = net.scratch(cut.count(0));
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block x = cut.of(V, i), sum = beside.part(0, x.count);
      net.publish(x, i);
      if (r + 1 < p) net.read({.owner = p - 1, .step = i}, sum);
      for (int s = p - 2; s >= 0; --s)
        if (s == r)
          net.combine(x, sum);
        else
          net.read_and_combine({.owner = s, .step = i}, in.part(0, x.count), s + 2 == p && r + 1 == p ? x : sum,
                               s == 0 ? cut.of(W, i) : sum);
      if (r == 0) net.copy(sum, cut.of(W, i));
    }
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const std::int64_t joins = (p - 1) * m;
    return {.rounds = static_cast<int>(in_pages(m, params).b),
            .applications = joins,
            .applications_last = joins,
            .sent = m,
            .received = joins};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return p > 1 ? 2 * in_pages(m, params).count(0) : 0;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Graham, Shipman 2008",
      .summary = "all publish blocks in the node's memory, all read and combine them in the same order",
      .rounds = "b",
      .pipelined = true,
      .cuts = Cuts::pages,
      .varies_with_nodes = true,
      .same_on_all_ranks = true,
      .placement = Placement::one,
      .flat = "recursive_doubling",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
