// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/phases/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// A reduce-scatter, then a gather along the canonical tree; piece i belongs to rank i, relative to the root.
struct circulant_reduce_scatter_gather {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    using namespace circulant_graph;
    const int p = net.size(), rank = net.rank();
    const Graph graph(p);
    const Pieces pieces{even_parts(V.count, p), p, rank >= params.root ? rank - params.root : rank - params.root + p};
    const Block acc = rank == params.root ? W : net.scratch(V.count);
    circulant_graph::reduce_scatter(net, V, acc, pieces.of(acc, 0, 1), graph, pieces);
    gather(net, acc, graph, pieces);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace circulant_graph;
    if (p == 1) return {};
    const Graph graph(p);
    const int last = (2 * p - 1 - params.root) % p;
    return circulant_graph::theorem(graph, even_parts(m, p), last, graph.q, [&](const Pieces& pieces, std::int64_t) {
      const std::int64_t gathered = pieces.at(canonical(graph, pieces.r).extent);
      return Afterwards{pieces.r > 0 ? gathered : 0, gathered - pieces.at(1)};
    });
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return m + circulant_graph::longest_arrival(even_parts(m, p), p);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Traeff 2024, arXiv:2410.14234; gather: own",
      .summary = "reduce-scatter and gather on a circulant graph, the volume of a power of two for any p, any root",
      .rounds = "2q",
      .commutative = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Rank r receives the pieces of ranks r + s_k, ..., r + s_(k+1) - 1 as far as its subtree extends, smallest k first.
  /// Then it sends all that it has.
  template <Transport T>
  static void gather(T& net, Block acc, const circulant_graph::Graph& graph, const circulant_graph::Pieces& pieces) {
    const auto [base, extent] = canonical(graph, pieces.r);
    for (int k = 0; k < base && graph.skip(k) < extent; ++k) {
      const int end = std::min(extent, graph.skip(k + 1));
      net.recv(pieces.of(acc, graph.skip(k), end), graph.to(net.rank(), k));
    }
    if (pieces.r > 0) net.send(pieces.of(acc, 0, extent), graph.from(net.rank(), base));
  }
};

}  // namespace mpigraft::reduce
