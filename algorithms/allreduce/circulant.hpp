// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/phases/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// A reduce-scatter and an allgather on the same graph; piece r is combined at rank r alone. Invariant of the
/// allgather: before the step with k, a rank has the s_(k-1) pieces from its own one on.
struct circulant {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    using namespace circulant_graph;
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (p == 1) return net.copy(V, W);
    const Graph graph(p);
    const Pieces pieces{{V.count, p}, r};
    const Block acc = net.scratch(V.count);
    reduce_scatter(net, V, acc, graph, pieces);
    for (int k = 1; k <= graph.q; ++k) {
      const int s = graph.skip(k - 1), more = graph.skip(k) - s;
      net.sendrecv(pieces.of(acc, 0, more), graph.from(r, k - 1), pieces.of(acc, s, s + more), graph.to(r, k - 1));
    }
    put_back(net, acc, W, pieces);
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    using namespace circulant_graph;
    if (p == 1) return {};
    // the allgather sends what the reduce-scatter received, and the other way round
    return circulant_graph::theorem(Graph(p), m, p - 1, [=](const Pieces& pieces, std::int64_t combined) {
      return Afterwards{combined, m - pieces.at(1)};
    });
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return p > 1 ? m + circulant_graph::longest_arrival(m, p) : 0;
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
