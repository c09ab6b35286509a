// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

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
    Theorem most{.rounds = 2 * graph.q};
    for (int r = 0; r < p; ++r) {
      const Pieces pieces{even_parts(m, p), p, r};
      most.applications_last = combined(graph, pieces);
      most.applications = std::max(most.applications, most.applications_last);
      // the allgather sends what the reduce-scatter received, and the other way round
      most.sent = std::max(most.sent, m - pieces.at(1) + most.applications_last);
    }
    most.received = most.sent;
    return most;
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
