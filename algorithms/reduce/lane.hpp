// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/part.hpp"
#include "algorithms/patterns/node_heads.hpp"
#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/reduce/between_nodes.hpp"
#include "algorithms/reduce/between_nodes_figures.hpp"
#include "algorithms/reduce/hierarchical.hpp"

namespace mpigraft::reduce {

/// Nodes of c ranks: every node reduces and scatters its vectors, the lane of all l-th ranks reduces piece l to the
/// root's node, and the root gathers the pieces. Ranks in a node count from the root's place. With fewer elements than
/// a node has ranks, or one rank a node, hierarchical runs.
struct lane {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const NodeHeads nodes(net.size(), params);
    const int i = nodes.of(net.rank()), N = nodes.count(), c = nodes.size(0);
    if (is_in_two_levels(V.count, c)) return hierarchical::run(net, operands, params);
    const int first = nodes.first(i), l = net.rank() - first;
    const RootedPieces pieces(V.count, c, params.root - nodes.first(nodes.root_node()));
    const int r = pieces.relative(l);

    // `all` is where the whole vector would begin: other ranks than the root only have room for what they gather
    Block all = W;
    if (net.rank() != params.root) {
      all = net.scratch(i == nodes.root_node() ? pieces.elements_held(r) : pieces.count(r));
      all.first -= pieces.first(r);
    }
    const Block piece = pieces.of(all, r), pool = net.scratch(piece.count, 2);
    Part node(net, c, l, pool, [first](int j) { return first + j; });
    piecewise::reduce_scatter(node, V, piece, pieces);
    Part lane(net, N, i, pool, [c, l](int k) { return k * c + l; });
    reduce_between(lane, piece, nodes.root_node(), blocks(N, c, V.count, params));
    if (i == nodes.root_node()) piecewise::gather(node, all, pieces);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const NodeHeads nodes(p, params);
    const int N = nodes.count(), c = nodes.size(0), x = nodes.root_node();
    if (is_in_two_levels(m, c)) return hierarchical::theorem(p, m, params);
    const RootedPieces pieces(m, c, params.root - nodes.first(x));
    const std::int64_t b = blocks(N, c, m, params);
    const std::vector<int> done(static_cast<std::size_t>(N), c - 1);
    Theorem stated{.rounds = rounds_between(done, x, b) + ceil_log2(c)};
    for (int i = 0; i < N; ++i)
      for (int l = 0; l < c; ++l) {
        const int r = pieces.relative(l);
        const std::int64_t mine = pieces.count(r), gathered = i == x ? pieces.elements_held(r) : mine;
        stated.applications_last = mine * (c - 1 + senders_between(i, x, N, b));
        stated.applications = std::max(stated.applications, stated.applications_last);
        stated.sent = std::max(stated.sent, m - mine + (i == x && r == 0 ? 0 : gathered));
        stated.received = std::max(stated.received, stated.applications_last + gathered - mine);
      }
    return stated;
  }
  /// A rank other than the root gathers the pieces of up to half its node.
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const int c = Nodes(p, params).size(0);
    return is_in_two_levels(m, c) ? hierarchical::scratch(p, m, params) : (c / 2 + 2) * Blocks{m, c}.count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Traeff, Hunold 2020, lanes; rank order for every root: own",
      .summary = "reduce-scatter in equal nodes, their c ranks reduce a c-th each between nodes, gather at the root",
      .rounds = "c-1 + log2 N + log2 c, or about N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::equal,
      .flat = "butterfly",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static constexpr bool is_in_two_levels(std::int64_t m, int c) { return m < c || c == 1; }
  /// The same in all lanes.
  static std::int64_t blocks(int N, int c, std::int64_t m, const Params& params) {
    return blocks_between_heads(N, Blocks{m, c}.count(0), params, true);
  }
};

}  // namespace mpigraft::reduce
