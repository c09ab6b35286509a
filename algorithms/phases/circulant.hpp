// SPDX-License-Identifier: MIT
// Reduce-scatter on a circulant graph (Traeff 2024, arXiv:2410.14234), for commutative operators: rank r, relative to a
// root, ends with piece r of p.
#pragma once

#include <cstdint>

#include "algorithms/parts.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::circulant_graph {

/// The pieces in the order in which rank r stores them: its own first, then those of the ranks after it, modulo p.
struct Pieces {
  Parts parts;
  int p, r;

  constexpr std::int64_t m() const { return parts.first(p); }
  /// Elements stored before the piece of rank r + i, modulo p.
  constexpr std::int64_t at(int i) const {
    return (r < p - i ? parts.first(r + i) : m() + parts.first(r + i - p)) - parts.first(r);
  }

  /// Elements before the own piece in the vector; they are stored last.
  constexpr std::int64_t before() const { return parts.first(r); }
  constexpr std::int64_t after() const { return m() - before(); }
};

/// Piece r of the sum of all ranks' V. Invariant: before the step with k, `sums` are partial results of the s_k pieces
/// from the own one on. The step sends the upper s_k - s_(k-1) of them.
inline Value reduce_scatter(Group& net, Value V, const Graph& graph, const Pieces& pieces) {
  List<Value> sums{part(V, pieces.before(), pieces.after()), part(V, 0, pieces.before())};
  for (int k = graph.q; k >= 1; --k) {
    const int s = graph.skip(k - 1), kept = graph.skip(k) - s;
    const Value own = net.part_of(sums, 0, pieces.at(kept));
    const Value departing = net.part_of(sums, pieces.at(s), pieces.at(s + kept) - pieces.at(s));
    net.begin_round();
    net.send(departing, graph.to(net.rank(), k - 1));
    const Value sum = net.combine(net.recv(graph.from(net.rank(), k - 1), own.count), own);
    const Value rest = net.part_of(sums, pieces.at(kept), pieces.at(s) - pieces.at(kept));
    sums = {sum, rest};
  }
  return sums[0];
}

}  // namespace mpigraft::circulant_graph
