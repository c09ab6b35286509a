// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// All others publish, and the root combines what it reads: the values of lower ranks and its own in W, those of upper
/// ranks in scratch unless there is only one.
struct shared_flat {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank(), root = params.root;
    const Blocks cut = in_pages(V.count, params);
    if (r != root) {
      for (std::int64_t i = 0; i < cut.b; ++i) net.publish(cut.of(V, i), i);
      return;
    }
    const Block in = net.scratch(cut.count(0)), beside = net.scratch(cut.count(0));
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block x = cut.of(V, i), W_i = cut.of(W, i), page = in.part(0, x.count), upper = beside.part(0, x.count);
      if (root + 2 < p) net.read({.owner = p - 1, .step = i}, upper);
      for (int s = p - 2; s > root; --s) net.read_and_combine({.owner = s, .step = i}, page, upper, upper);
      if (root > 0 || p == 1) net.copy(x, W_i);  // while the others publish
      for (int s = root - 1; s >= 0; --s) net.read_and_combine({.owner = s, .step = i}, page, W_i, W_i);
      const Block sum = root > 0 ? W_i : x;
      if (root + 2 == p) net.combine_and_read(sum, {.owner = p - 1, .step = i}, page, W_i);
      if (root + 2 < p) {
        net.combine(sum, upper);
        net.copy(upper, W_i);
      }
    }
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const std::int64_t joins = (p - 1) * m;
    return {.rounds = 1,
            .applications = joins,
            .applications_last = params.root == p - 1 ? joins : 0,
            .sent = m,
            .received = joins};
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params& params) {
    return 2 * in_pages(m, params).count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Graham, Shipman 2008",
      .summary = "all publish blocks in the node's memory, the root reads and combines them",
      .rounds = "1",
      .pipelined = true,
      .cuts = Cuts::pages,
      .varies_with_nodes = true,
      .associates_like = "linear_pipeline",
      .placement = Placement::one,
      .flat = "binomial",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
