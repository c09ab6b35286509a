// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/patterns/circulant.hpp"

namespace mpigraft::reduce {

/// Rank r receives the pieces of ranks r + s_k, ..., r + s_(k+1) - 1 as far as its subtree extends, smallest k first.
/// Then it sends all that it has.
inline Value gather(const Group& net, Value own, const circulant_graph::Graph& graph, const Pieces& pieces) {
  const auto [base, extent] = canonical(graph, pieces.r);
  List<Value> held{own};
  for (int k = 0; k < base && graph.skip(k) < extent; ++k) {
    const int end = std::min(extent, graph.skip(k + 1));
    held.push_back(net.recv(graph.to(net.rank(), k), pieces.at(end) - pieces.at(graph.skip(k))));
  }
  const Value all = net.join(held);
  if (pieces.r == 0) return all;
  net.send(all, graph.from(net.rank(), base));
  return nothing;
}

/// A reduce-scatter, then a gather along the canonical tree; piece i belongs to rank i, relative to the root.
///
/// Example: p = 8, m = 4, root 0. [0-1]>6 is elements 0 and 1, sent to rank 6.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1           [0]>5    [0-1]>6  [0-2]>7  [0-3]>0  [1-3]>1  [2-3]>2  [3]>3
///       2  [2-3]>2  [3]>3                               [0]>7    [0-1]>0  [1-2]>1
///       3  [1]>1    [2]>2    [3]>3                                        [0]>0
///       4           [1]>0             [3]>2
///       5                    [2-3]>0
inline void circulant_reduce_scatter_gather(Program& net) {
  using namespace circulant_graph;
  const int p = net.size();
  const Group ranks = net.from(net.params().root);
  const Graph graph(p);
  const Pieces pieces{even_parts(net.length(), p), p, ranks.rank()};
  net.result(gather(ranks, circulant_graph::reduce_scatter(ranks, net.input(), graph, pieces), graph, pieces));
}

inline constexpr AlgorithmInfo circulant_reduce_scatter_gather_info{
    .paper = "Traeff 2024, arXiv:2410.14234; gather: own",
    .summary = "reduce-scatter and gather on a circulant graph, the volume of a power of two for any p, any root",
    .rounds = "2q",
    .commutative = true,
    .cuts = Cuts::always,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce
