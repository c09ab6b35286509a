// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/allreduce/between_nodes.hpp"
#include "algorithms/allreduce/hierarchical.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/phases/piecewise.hpp"

namespace mpigraft::allreduce {

/// Nodes of c ranks: every node reduces and scatters its vectors, the lane of all l-th ranks makes the total of piece
/// l, and every node gathers the pieces. With fewer elements than a node has ranks, hierarchical runs.
struct lane {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Nodes nodes(net.size(), params);
    const int i = nodes.of(net.rank()), N = nodes.count(), c = nodes.size(0);
    if (V.count < c) return hierarchical::run(net, operands, params);
    const int first = nodes.first(i), l = net.rank() - first;
    const RootedPieces pieces(V.count, c, 0);

    const Block piece = pieces.of(W, l), pool = net.scratch(piece.count, 2);
    Part node(net, c, l, pool, [first](int j) { return first + j; });
    piecewise::reduce_scatter(node, V, piece, pieces);
    Part lane(net, N, i, pool, [c, l](int k) { return k * c + l; });
    run_in_groups(lane, {piece, piece}, halvings_between(N, pieces.count(0), params));
    piecewise::allgather(node, W, pieces, [](int) { return 1; });
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Nodes nodes(p, params);
    const int N = nodes.count(), c = nodes.size(0);
    if (m < c) return hierarchical::theorem(p, m, params);
    const RootedPieces pieces(m, c, 0);
    const int halvings = halvings_between(N, pieces.count(0), params);
    const Grouping groups(N);
    Theorem stated{.rounds = 2 * (c - 1) + theorem_in_groups(N, m, halvings).rounds};
    for (int i = 0; i < N; ++i)
      for (int l = 0; l < c; ++l) {
        const std::int64_t mine = pieces.count(l), others = m - mine;
        const GroupWork work = work_in_groups(groups, i, mine, halvings);
        stated.applications_last = mine * (c - 1) + work.combined;
        stated.applications = std::max(stated.applications, stated.applications_last);
        stated.sent = std::max(stated.sent, others + work.exchanged + m - pieces.count(l + 1 < c ? l + 1 : 0));
        stated.received = std::max(stated.received, mine * (c - 1) + work.exchanged + others);
      }
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const int c = Nodes(p, params).size(0);
    return m < c ? hierarchical::scratch(p, m, params) : 2 * Blocks{m, c}.count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Traeff, Hunold 2020, lanes; Rabenseifner 2004, in lanes",
      .summary = "reduce-scatter in equal nodes, their c ranks combine a c-th each between nodes, ring in nodes",
      .rounds = "2(c-1) + log2 N, and as many as halvings of up to log2 N",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .same_on_all_ranks = true,
      .placement = Placement::equal,
      .flat = "adaptive",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
