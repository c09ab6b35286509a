// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/bcast/circulant.hpp"
#include "algorithms/bcast/hierarchical.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/phases/piecewise.hpp"

namespace mpigraft::bcast {

/// Nodes of c ranks: the root's node scatters the message, the lane of all l-th ranks broadcasts piece l, and every
/// node gathers the pieces. Ranks in a node count from the root's place. With fewer elements than a node has ranks,
/// hierarchical runs.
struct lane {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    const Nodes nodes(net.size(), params);
    const int i = nodes.of(net.rank()), root_node = nodes.of(params.root), N = nodes.count(), c = nodes.size(0);
    if (message.count < c) return hierarchical::run(net, operands, params);
    const int first = nodes.first(i), l = net.rank() - first;
    const RootedPieces pieces(message.count, c, params.root - nodes.first(root_node));

    Part node(net, c, l, {}, [first](int j) { return first + j; });
    if (i == root_node) piecewise::scatter(node, message, pieces);
    const Block piece = pieces.of(message, pieces.relative(l));
    Part lane(net, N, i, {}, [c, l](int k) { return k * c + l; });
    circulant::run_in_blocks(lane, piece, {piece.count, blocks(nodes, message.count, params)}, root_node);
    piecewise::allgather(node, message, pieces, [&](int r) { return i == root_node ? pieces.held(r) : 1; });
  }

  /// The root is the last of its node to be done with the scatter, and its lane the last to be done; from then on the
  /// ring takes as long as with all.
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Nodes nodes(p, params);
    const int N = nodes.count(), c = nodes.size(0);
    if (m < c) return hierarchical::theorem(p, m, params);
    const RootedPieces pieces(m, c, 0);
    const std::int64_t b = blocks(nodes, m, params);
    const int between = N > 1 ? static_cast<int>(b) - 1 + ceil_log2(N) : 0;
    Theorem stated{.rounds = ceil_log2(c) + between + c - 1, .received = p > 1 ? m : 0};
    for (int r = 0; r < c; ++r) {
      const Blocks cut{pieces.count(r), b};
      const int after = r + 1 < c ? r + 1 : 0;
      std::int64_t sent = pieces.elements_held(r) - pieces.count(r) + m - pieces.elements_held(after);
      if (N > 1) sent += circulant_graph::sent(0, N, cut);
      for (int k = 1; k < N; ++k) sent = std::max(sent, circulant_graph::sent(k, N, cut) + m - pieces.count(after));
      stated.sent = std::max(stated.sent, sent);
    }
    return stated;
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Traeff, Hunold 2020, lanes; Traeff 2022, arXiv:2205.10072, in lanes",
      .summary = "scatter in the root's node, equal nodes' c ranks broadcast a c-th each between nodes, ring in nodes",
      .rounds = "log2 c + n-1 + log2 N + c-1",
      .pipelined = true,
      .placement = Placement::equal,
      .flat = "circulant",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// The same in all lanes.
  static std::int64_t blocks(const Nodes& nodes, std::int64_t m, const Params& params) {
    return circulant_graph::cut(nodes.count(), Blocks{m, nodes.size(0)}.count(0), params, false).b;
  }
};

}  // namespace mpigraft::bcast
