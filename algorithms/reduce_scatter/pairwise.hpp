// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce_scatter {

/// Every part goes straight to its owner, which sums those of lower and those of higher ranks apart, nearest ones
/// first. With fewer elements than ranks, recursive_halving runs.
struct pairwise {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Parts& parts = operands.parts;
    if (V.count < net.size()) return recursive_halving::run(net, operands, params);
    const auto part = [&](int owner) { return V.part(parts.first(owner), parts.count(owner)); };
    const Block in = net.scratch(W.count), lower = net.scratch(W.count);
    piecewise::sum_by_messages(net, {part(net.rank()), lower, W, W}, in, part);
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (m < p) return recursive_halving::theorem(p, m, params);
    const Parts parts = parts_of(p, m, params);
    const std::int64_t longest = (p - 1) * parts.longest(p);
    return {.rounds = p - 1,
            .applications = longest,
            .applications_last = (p - 1) * parts.count(p - 1),
            .sent = m - parts.shortest(p),
            .received = longest};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return m < p ? recursive_halving::scratch(p, m, params) : 2 * parts_of(p, m, params).longest(p);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Thakur, Rabenseifner, Gropp 2005; rank order: own",
      .summary = "every part straight to its owner, rank order kept",
      .rounds = "p-1, about log2 p for m < p",
      .cuts = Cuts::always,
      .varies_with_length = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce_scatter
