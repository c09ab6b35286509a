// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/phases/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce_scatter {

/// Fewest rounds and least volume for any p. The order of combination begins after the owner, so the operator has to be
/// commutative.
struct circulant {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    using namespace circulant_graph;
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    if (p == 1) return net.copy(V, W);
    circulant_graph::reduce_scatter(net, V, net.scratch(V.count), W, Graph(p), {operands.parts, p, net.rank()});
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace circulant_graph;
    if (p == 1) return {};
    return circulant_graph::theorem(Graph(p), parts_of(p, m, params), p - 1, 0,
                                    [](const Pieces&, std::int64_t) { return Afterwards{}; });
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return p > 1 ? m + circulant_graph::longest_arrival(parts_of(p, m, params), p) : 0;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Traeff 2024, arXiv:2410.14234",
      .summary = "on a circulant graph, fewest rounds and the volume of a power of two for any p",
      .rounds = "q",
      .commutative = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce_scatter
