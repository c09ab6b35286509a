// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/circulant.hpp"
#include "algorithms/bcast/hierarchical.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::bcast {

/// The same in all lanes.
inline std::int64_t blocks_in_lanes(const Nodes& nodes, std::int64_t m, const Params& params) {
  return circulant_graph::cut(nodes.count(), Blocks{m, nodes.size(0)}.count(0), params, false).b;
}

/// Nodes of c ranks: the root's node scatters the message, the lane of all l-th ranks broadcasts piece l, and every
/// node gathers the pieces. Ranks in a node count from the root's place. With fewer elements than a node has ranks,
/// hierarchical runs.
///
/// Example: p = 8, m = 3, blocks of 1, root 0, nodes of 2. [0-1]>1 is elements 0 and 1, sent to rank 1.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1  [2]>1
///       2  [0]>4    [2]>5
///       3  [1]>2                               [0]>6    [2]>7
///       4  [1]>4             [1]>6                               [0]>2    [2]>3
///       5  [0-1]>1           [0-1]>3  [2]>2    [0-1]>5  [2]>4    [0-1]>7  [2]>6
inline void lane(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const int root = net.params().root, root_node = nodes.root_node(), c = nodes.size(0);
  if (net.length() < c) return hierarchical(net);
  const Group node = nodes.own(net).from(root - nodes.first(root_node)), lane = nodes.lane(net);
  const bool has_root = lane.rank() == root_node;
  const Parts pieces = even_parts(net.length(), c);

  Value held = net.rank() == root ? net.input() : nothing;
  if (has_root) held = piecewise::scatter(node, held, pieces);
  const Blocks cut{pieces.count(node.rank()), blocks_in_lanes(nodes, net.length(), net.params())};
  const auto piece = in_rounds(lane.from(root_node), cut,
                               [&](std::int64_t from, std::int64_t count) { return part(held, from, count); });
  if (!has_root) held = net.join(piece);
  piecewise::allgather(net, node, held, pieces, [=](int s) { return has_root ? piecewise::held_by(s, c) : 1; });
}

inline constexpr AlgorithmInfo lane_info{
    .paper = "Traeff, Hunold 2020, lanes; Traeff 2022, arXiv:2205.10072, in lanes",
    .summary = "scatter in the root's node, equal nodes' c ranks broadcast a c-th each between nodes, ring in nodes",
    .rounds = "log2 c + n-1 + log2 N + c-1",
    .pipelined = true,
    .placement = Placement::equal,
    .flat = "circulant",
};

}  // namespace mpigraft::bcast
