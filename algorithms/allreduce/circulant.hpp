// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/phases/circulant.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// A reduce-scatter and an allgather on the same graph; piece r is combined at rank r alone.
struct circulant {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    using namespace circulant_graph;
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (p == 1) return net.copy(V, W);
    const Graph graph(p);
    const Pieces pieces{even_parts(V.count, p), p, r};
    const Block acc = net.scratch(V.count);
    circulant_graph::reduce_scatter(net, V, acc, W.part(pieces.before(), pieces.at(1)), graph, pieces);
    dissemination::allgather(net, W, acc, pieces.parts, graph);
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    using namespace circulant_graph;
    if (p == 1) return {};
    const Graph graph(p);
    // the allgather sends what the reduce-scatter received, and the other way round
    return circulant_graph::theorem(graph, even_parts(m, p), p - 1, graph.q,
                                    [=](const Pieces& pieces, std::int64_t combined) {
                                      return Afterwards{combined, m - pieces.at(1)};
                                    });
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return p > 1 ? m + circulant_graph::longest_arrival(even_parts(m, p), p) : 0;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Traeff 2024, arXiv:2410.14234",
      .summary = "reduce-scatter and allgather on a circulant graph, the volume of a power of two for any p",
      .rounds = "2q",
      .commutative = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
