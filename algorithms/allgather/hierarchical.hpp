// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/circulant.hpp"
#include "algorithms/info.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/exchange_times.hpp"
#include "algorithms/patterns/node_parts.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/phases/piecewise.hpp"

namespace mpigraft::allgather {

/// Every node gathers at its first rank; the first ranks gather the parts of all nodes and broadcast them in their
/// nodes.
struct hierarchical {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    const Parts& parts = operands.parts;
    const int p = net.size(), r = net.rank();
    const NodeParts nodes(p, parts, params);
    const int i = nodes.of(r), first = nodes.first(i);
    net.copy(operands.input, W.part(parts.first(r), parts.count(r)));
    Part node(net, nodes.size(i), r - first, {}, [first](int j) { return first + j; });
    piecewise::gather(node, W, nodes.in_node(i));
    if (r == first) {
      const circulant_graph::Graph graph(nodes.count());
      Part heads(net, nodes.count(), i, {}, [&nodes](int k) { return nodes.first(k); });
      const Block room = net.scratch(dissemination::scratch(W.count, graph.q));
      dissemination::allgather(heads, W, room, nodes.of_nodes(), graph);
    }
    const Blocks blocks = cut(nodes.size(i), W.count, params);
    if (blocks.b == 1)
      bcast::send_from_root(node, W, 0);
    else
      bcast::circulant::run_in_blocks(node, W, blocks, 0);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Parts parts = parts_of(p, m, params);
    const NodeParts nodes(p, parts, params);
    const circulant_graph::Graph graph(nodes.count());
    std::vector<int> done;
    for (int i = 0; i < nodes.count(); ++i) done.push_back(ceil_log2(nodes.size(i)));
    for (int k = 0; k < graph.q; ++k) done = after_exchange(done, graph.skip(k));
    Theorem stated;
    for (int i = 0; i < nodes.count(); ++i) {
      const int c = nodes.size(i);
      const Blocks blocks = cut(c, m, params);
      const RootedPieces pieces = nodes.in_node(i);
      if (c > 1) done[static_cast<std::size_t>(i)] += static_cast<int>(blocks.b) - 1 + ceil_log2(c);
      stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)]);
      for (int j = 0; j < c; ++j) {
        const std::int64_t held = pieces.elements_held(j);
        const std::int64_t before = j > 0 ? held : dissemination::sent(i, nodes.count(), nodes.of_nodes(), graph);
        const std::int64_t comes = held - pieces.count(j) + (j > 0 ? m : m - held);
        stated.sent = std::max(stated.sent, before + passed_on(j, c, blocks));
        stated.received = std::max(stated.received, comes);
      }
    }
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return dissemination::scratch(m, ceil_log2(Nodes(p, params).count()));
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Traeff, Hunold 2020, hierarchical; between nodes: Traeff 2024, arXiv:2410.14234",
      .summary = "gather in nodes, between one rank of each on a circulant graph, and broadcast in nodes",
      .rounds = "log2 c + log2 N + n-1 + log2 c",
      .pipelined = true,
      .placement = Placement::consecutive,
      .flat = "bruck",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Elements that rank j of a node of c ranks passes on in its broadcast.
  static std::int64_t passed_on(int j, int c, const Blocks& blocks) {
    return blocks.b == 1 ? blocks.m * binomial_tree::children(j, c, 0) : circulant_graph::sent(j, c, blocks);
  }
  static Blocks cut(int c, std::int64_t m, const Params& params) { return circulant_graph::cut(c, m, params, false); }
};

}  // namespace mpigraft::allgather
