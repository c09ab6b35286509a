// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/exchange_times.hpp"
#include "algorithms/patterns/node_parts.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/reduce/binomial.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"

namespace mpigraft::reduce_scatter {

/// Every node reduces to its first rank. Each first rank gets its node's parts from all others, sums them, and scatters
/// them in its node. Scratch has no room to do that with a single element, for which recursive_halving runs.
struct hierarchical {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Parts& parts = operands.parts;
    const int p = net.size(), r = net.rank();
    if (V.count == 1) return recursive_halving::run(net, operands, params);
    const NodeParts nodes(p, parts, params);
    const int i = nodes.of(r), first = nodes.first(i);
    const Block pool = net.scratch(V.count, 2), value = pool.part(V.count, V.count);
    Part node(net, nodes.size(i), r - first, pool, [first](int j) { return first + j; });
    reduce::send_to_root(node, V, value, 0);
    if (r == first) {
      Part heads(net, nodes.count(), i, {}, [&nodes](int k) { return nodes.first(k); });
      between_nodes(heads, value, pool.part(0, V.count), nodes);
    }
    piecewise::scatter(node, value, nodes.in_node(i));
    net.copy(value.part(parts.first(r), W.count), W);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (m == 1) return recursive_halving::theorem(p, m, params);
    const Parts parts = parts_of(p, m, params);
    const NodeParts nodes(p, parts, params);
    const int N = nodes.count();
    std::vector<int> done;
    for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
    for (std::int64_t turn = 0; turn < turns(m, nodes); ++turn)
      for (int k = 1; k < N; ++k) done = after_exchange(done, k);
    Theorem stated;
    for (int i = 0; i < N; ++i) {
      const int c = nodes.size(i);
      const RootedPieces pieces = nodes.in_node(i);
      stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
      const std::int64_t mine = pieces.elements_held(0);
      for (int j = 0; j < c; ++j) {
        const std::int64_t joined = m * binomial_tree::children(j, c, 0) + (j > 0 ? 0 : (N - 1) * mine);
        const std::int64_t held = pieces.elements_held(j), passed = held - pieces.count(j);
        stated.applications_last = joined;
        stated.applications = std::max(stated.applications, joined);
        stated.sent = std::max(stated.sent, passed + (j > 0 ? m : m - mine));
        stated.received = std::max(stated.received, joined + (j > 0 ? held : 0));
      }
    }
    return stated;
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Traeff, Hunold 2020, hierarchical; rank order: own",
      .summary = "reduce in nodes, every part straight to its node, and scatter in nodes, rank order kept",
      .rounds = "log2 c + N-1 + log2 c",
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .placement = Placement::consecutive,
      .flat = "recursive_halving",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Number of turns between nodes. An arrival and a sum have to fit into one vector of scratch, so turns are needed if
  /// one node has more than half of all elements.
  static std::int64_t turns(std::int64_t m, const NodeParts& nodes) {
    const std::int64_t longest = nodes.of_nodes().longest(nodes.count());
    std::int64_t b = 1;
    while (2 * Blocks{longest, b}.count(0) > m) ++b;
    return b;
  }

  /// The own node's part of `value` becomes the sum of that part of all values.
  template <AsyncTransport T>
  static void between_nodes(T& heads, Block value, Block room, const NodeParts& nodes) {
    const std::int64_t b = turns(value.count, nodes);
    for (std::int64_t turn = 0; turn < b; ++turn) {
      const auto piece = [&](int k) {
        const Block all = nodes.of_node(value, k);
        return Blocks{all.count, b}.of(all, turn);
      };
      const Block own = piece(heads.rank()), in = room.part(0, own.count), sum = room.part(own.count, own.count);
      piecewise::sum_by_messages(heads, {own, own, sum, sum}, in, piece);
      heads.copy(sum, own);
    }
  }
};

}  // namespace mpigraft::reduce_scatter
