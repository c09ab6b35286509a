// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/hierarchical.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::allreduce {

/// Nodes of c ranks: every node reduces and scatters its vectors, the lane of all l-th ranks makes the total of piece
/// l, and every node gathers the pieces. With fewer elements than a node has ranks, hierarchical runs.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-7[0-1]>1 is elements 0 and 1 of x_0 (+) ... (+) x_7, sent to
/// rank 1.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1  0[2]>1      1[0-1]>0    2[2]>3      3[0-1]>2    4[2]>5      5[0-1]>4    6[2]>7      7[0-1]>6
///       2  0-1[1]>2                2-3[0]>0    2-3[2]>1    4-5[1]>6                6-7[0]>4    6-7[2]>5
///       3  0-3[0]>4    0-3[2]>5    0-3[1]>6                4-7[0]>0    4-7[2]>1    4-7[1]>2
///       4  0-7[0]>2    0-7[2]>3    0-7[1]>0                0-7[0]>6    0-7[2]>7    0-7[1]>4
///       5  0-7[0-1]>1  0-7[2]>0    0-7[0-1]>3  0-7[2]>2    0-7[0-1]>5  0-7[2]>4    0-7[0-1]>7  0-7[2]>6
inline void lane(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const Group node = nodes.own(net);
  if (net.length() < nodes.size(0)) return hierarchical(net);
  const Parts pieces = even_parts(net.length(), node.size());
  const Value piece =
      piecewise::reduce_scatter(node, pieces.count(node.rank()), [&](int owner) { return net.input(pieces, owner); });
  const int halvings = halvings_between(nodes.count(), pieces.count(0), net.params());
  const Value total = in_groups(nodes.lane(net), piece, halvings);
  piecewise::allgather(net, node, total, pieces, [](int) { return 1; });
}

inline constexpr AlgorithmInfo lane_info{
    .paper = "Traeff, Hunold 2020, lanes; Rabenseifner 2004, in lanes",
    .summary = "reduce-scatter in equal nodes, their c ranks combine a c-th each between nodes, ring in nodes",
    .rounds = "2(c-1) + log2 N, and as many as halvings of up to log2 N",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .placement = Placement::equal,
    .flat = "adaptive",
};

}  // namespace mpigraft::allreduce
