// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/circulant.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/exchange_times.hpp"
#include "algorithms/patterns/node_parts.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allgather {

/// Every node gathers at its first rank; the first ranks gather the parts of all nodes and broadcast them in their
/// nodes.
///
/// Example: p = 7, m = 7, blocks of 1, nodes of 2. [0-1]>6 is elements 0 and 1, sent to rank 6.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6
///       1               [1]>0                     [3]>2                     [5]>4
///       2  [0-1]>6                   [2-3]>0                   [4-5]>2                   [6]>4
///       3  [0-3]>4                   [2-5]>6                   [4-6]>0                   [6]+[0-1]>2
///       4  [0]>1                     [0]>3                     [0]>5
///       5  [1]>1                     [1]>3                     [1]>5
///       6  [2]>1                     [2]>3                     [2]>5
///       7  [3]>1                     [3]>3                     [3]>5
///       8  [4]>1                     [4]>3                     [4]>5
///       9  [5]>1                     [5]>3                     [5]>5
///      10  [6]>1                     [6]>3                     [6]>5
struct hierarchical {
  static void text(Program& net) {
    const int r = net.rank();
    const NodeParts nodes(net.size(), net.parts(), net.params());
    const int i = nodes.of(r), first = nodes.first(i);
    Group node = net.among(nodes.size(i), r - first, [first](int j) { return first + j; });
    Value all = piecewise::gather(node, net.input_part(), nodes.in_node(i));
    if (r == first) {
      Group heads = net.among(nodes.count(), i, [&nodes](int k) { return nodes.first(k); });
      all = dissemination::allgather(heads, all, nodes.of_nodes(), circulant_graph::Graph(nodes.count()));
      net.result(all);
    }
    net.begin_round();
    const Blocks blocks = cut(nodes.size(i), net.length(), net.params());
    const auto block_of = [&](std::int64_t at, std::int64_t count) { return part(all, at, count); };
    if (blocks.b == 1) {
      const Value message = bcast::from_root(node, all, net.length(), 0);
      if (r > first) net.result(message);
    } else {
      const List<Value> message = bcast::in_rounds(node, blocks, 0, block_of);
      if (r > first) bcast::give(net, blocks, message);
    }
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

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Traeff, Hunold 2020, hierarchical; between nodes: Traeff 2024, arXiv:2410.14234",
      .summary = "gather in nodes, between one rank of each on a circulant graph, and broadcast in nodes",
      .rounds = "log2 c + log2 N + n-1 + log2 c",
      .pipelined = true,
      .placement = Placement::consecutive,
      .flat = "bruck",
      .text = text,
      .theorem = theorem,
  };

 private:
  /// Elements that rank j of a node of c ranks passes on in its broadcast.
  static std::int64_t passed_on(int j, int c, const Blocks& blocks) {
    return blocks.b == 1 ? blocks.m * binomial_tree::children(j, c, 0) : circulant_graph::sent(j, c, blocks);
  }
  static Blocks cut(int c, std::int64_t m, const Params& params) { return circulant_graph::cut(c, m, params, false); }
};

}  // namespace mpigraft::allgather
