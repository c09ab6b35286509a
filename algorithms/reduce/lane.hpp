// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/piecewise.hpp"
#include "algorithms/reduce/hierarchical.hpp"

namespace mpigraft::reduce {

constexpr bool is_in_two_levels(std::int64_t m, int c) { return m < c || c == 1; }

/// The same in all lanes.
inline std::int64_t blocks_in_lanes(int N, int c, std::int64_t m, const Params& params) {
  return blocks_between_heads(N, Blocks{m, c}.count(0), params, true);
}

/// Nodes of c ranks: every node reduces and scatters its vectors, the lane of all l-th ranks reduces piece l to the
/// root's node, and the root gathers the pieces. Ranks in a node count from the root's place. With fewer elements than
/// a node has ranks, or one rank a node, hierarchical runs.
///
/// Example: p = 8, m = 3, blocks of 1, root 0, nodes of 2. 6-7[0]>4 is element 0 of x_6 (+) x_7, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[2]>1    1[0-1]>0  2[2]>3    3[0-1]>2  4[2]>5    5[0-1]>4  6[2]>7    7[0-1]>6
///       2                                                              6-7[0]>4  6-7[2]>5
///       3                                          4-7[0]>2  4-7[2]>3  6-7[1]>4
///       4                      2-7[0]>0  2-7[2]>1  4-7[1]>2
///       5                      2-7[1]>0
///       6            0-7[2]>0
inline void lane(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const int c = nodes.size(0), root_node = nodes.root_node();
  if (is_in_two_levels(net.length(), c)) return hierarchical(net);
  const int x = net.params().root - nodes.first(root_node);
  const Group node = nodes.own(net), node_from_x = node.from(x), lane = nodes.lane(net);
  const Parts pieces = even_parts(net.length(), c);

  const Value piece = piecewise::reduce_scatter(node, pieces.count(node_from_x.rank()),
                                                [&](int owner) { return net.input(pieces, (owner - x + c) % c); });
  const Value sum = reduce_between(lane, piece, root_node, blocks_in_lanes(lane.size(), c, net.length(), net.params()));
  if (lane.rank() == root_node) net.result(piecewise::gather(node_from_x, sum, pieces));
}

inline constexpr AlgorithmInfo lane_info{
    .paper = "Traeff, Hunold 2020, lanes; rank order for every root: own",
    .summary = "reduce-scatter in equal nodes, their c ranks reduce a c-th each between nodes, gather at the root",
    .rounds = "c-1 + log2 N + log2 c, or about N+b-2 instead of log2 N",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .varies_with_blocks = true,
    .placement = Placement::equal,
    .flat = "butterfly",
};

}  // namespace mpigraft::reduce
