// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/phases/slices.hpp"
#include "algorithms/reduce/shared_flat.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// All publish block i, rank r combines slice r of all and publishes that, and the root gathers.
struct shared_slices {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    if (!slices_fit(p, V.count, params)) return shared_flat::run(net, operands, params);
    const Blocks cut = in_pages(V.count, params, p);
    const std::int64_t longest = Slices(cut, p).longest();
    const Block in = net.scratch(longest), beside = net.scratch(longest);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block sum = slices::reduce_scatter(net, cut.of(V, i), 2 * i, in, beside);
      if (net.rank() == params.root) slices::gather(net, sum, 2 * i + 1, cut.of(W, i));
    }
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::theorem(p, m, params);
    const Blocks cut = in_pages(m, params, p);
    const Slices all(cut, p);
    return {.rounds = static_cast<int>(2 * cut.b),
            .applications = (p - 1) * all.of(0),
            .applications_last = (p - 1) * all.of(p - 1),
            .sent = m + all.of(0),
            .received = std::max((p - 1) * all.of(0), m + (p - 2) * all.of(params.root))};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::scratch(p, m, params);
    return 2 * Slices(in_pages(m, params, p), p).longest();
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Rabenseifner 2004; Graham, Shipman 2008",
      .summary = "all publish a block, every rank combines a p-th of it and publishes that, the root gathers",
      .rounds = "2b",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "butterfly",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
