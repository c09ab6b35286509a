// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/program.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"

namespace mpigraft::reduce_scatter {

/// Every part goes straight to its owner, which sums those of lower and those of higher ranks apart, nearest ones
/// first. With fewer elements than ranks, recursive_halving runs.
struct pairwise {
  static void text(Program& net) {
    const Parts parts = net.parts();
    if (net.length() < net.size()) return recursive_halving::text(net);
    net.result(piecewise::reduce_scatter(net, parts.count(net.rank()),
                                         [&](int owner) { return net.input(parts.first(owner), parts.count(owner)); }));
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

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Thakur, Rabenseifner, Gropp 2005; rank order: own",
      .summary = "every part straight to its owner, rank order kept",
      .rounds = "p-1, about log2 p for m < p",
      .cuts = Cuts::always,
      .varies_with_length = true,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::reduce_scatter
