// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// A reduce-scatter, then a gather along the canonical tree; piece i belongs to rank i, relative to the root.
/// Invariant: before the step with k, a rank holds partial results of the s_k pieces from its own on, and passes the
/// upper ones on.
struct circulant_reduce_scatter_gather {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), rank = net.rank();
    const circulant_graph::Graph graph(p);
    const Pieces pieces{{V.count, p}, rank >= params.root ? rank - params.root : rank - params.root + p};
    const Block acc = rank == params.root ? W : net.scratch(V.count);
    const Block spare = net.scratch(Blocks{V.count, p}.first(p / 2));
    const std::int64_t before = pieces.blocks.first(pieces.r), after = V.count - before;
    net.copy(V.part(before, after), acc.part(0, after));
    net.copy(V.part(0, before), acc.part(after, before));
    for (int k = graph.q; k >= 1; --k) {
      const int s = graph.skip(k - 1), kept = graph.skip(k) - s;
      const Block arrived = spare.part(0, pieces.at(kept));
      net.sendrecv(pieces.of(acc, s, s + kept), graph.to(rank, k - 1), arrived, graph.from(rank, k - 1));
      net.combine(arrived, pieces.of(acc, 0, kept));
    }
    gather(net, acc, graph, pieces);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const circulant_graph::Graph graph(p);
    Theorem most{.rounds = 2 * graph.q};
    for (int r = 0; r < p; ++r) {
      const Pieces pieces{{m, p}, r};
      const std::int64_t own = pieces.at(1), gathered = pieces.at(circulant_graph::canonical(graph, r).extent);
      std::int64_t combined = 0;
      for (int k = 1; k <= graph.q; ++k) combined += pieces.at(graph.skip(k) - graph.skip(k - 1));
      if (r == (2 * p - 1 - params.root) % p) most.applications_last = combined;
      most.applications = std::max(most.applications, combined);
      most.sent = std::max(most.sent, m - own + (r > 0 ? gathered : 0));
      most.received = std::max(most.received, combined + gathered - own);
    }
    return most;
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) { return m + Blocks{m, p}.first(p / 2); }

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
  /// The pieces as rank r stores them: its own one first, the others in the order of their ranks, modulo p.
  struct Pieces {
    Blocks blocks;
    int r;

    /// Elements before the piece i ranks after r's.
    constexpr std::int64_t at(int i) const {
      const std::int64_t j = std::int64_t{r} + i, p = blocks.b;
      return (j < p ? blocks.first(j) : blocks.m + blocks.first(j - p)) - blocks.first(r);
    }
    constexpr Block of(Block acc, int i, int end) const { return acc.part(at(i), at(end) - at(i)); }
  };

  /// Rank r receives what the sums that go on from r with s_k cover, smallest k first, then sends all it has.
  template <Transport T>
  static void gather(T& net, Block acc, const circulant_graph::Graph& graph, const Pieces& pieces) {
    const auto [base, extent] = circulant_graph::canonical(graph, pieces.r);
    for (int k = 0; k < base && graph.skip(k) < extent; ++k) {
      const int end = std::min(extent, graph.skip(k + 1));
      net.recv(pieces.of(acc, graph.skip(k), end), graph.to(net.rank(), k));
    }
    if (pieces.r > 0) net.send(pieces.of(acc, 0, extent), graph.from(net.rank(), base));
  }
};

}  // namespace mpigraft::reduce
