// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/hierarchical.hpp"
#include "algorithms/prefix/transpose.hpp"

namespace mpigraft::prefix {

/// Number of blocks of the chain, the same in all lanes.
inline std::int64_t blocks_in_lanes(const Nodes& nodes, std::int64_t m, const Params& params) {
  return nodes.count() > 1 ? blocks_between(nodes.count(), Blocks{m, nodes.size(0)}.count(0), params) : 0;
}

/// Nodes of c ranks, rank j of each owns piece j, a c-th of the vector:
///   1. all to all in the node   rank j receives piece j of its node's vectors, and scans it: S_0, ..., S_(c-1)
///   2. lane of all ranks j      P = the totals S_(c-1) of the nodes before: along a chain in blocks, or by doubling
///   3. every owner              P (+) S_s for every s, or P (+) S_(s-1)
///   4. all to all back          rank s receives its piece j of these from rank j, for every j
/// With fewer elements than a node has ranks, hierarchical runs.
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-1[0-1]>1 is elements 0 and 1 of x_0 (+) x_1, sent to rank 1.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1  0[2]>1      1[0-1]>0    2[2]>3      3[0-1]>2    4[2]>5      5[0-1]>4    6[2]>7      7[0-1]>6
///       2  0-1[0]>2    0-1[2]>3
///       3  0-1[1]>2                0-3[0]>4    0-3[2]>5
///       4  0-1[0-1]>1  0[2]>0      0-3[1]>4                0-5[0]>6    0-5[2]>7
///       5                          0-3[0-1]>3  0-2[2]>2    0-5[1]>6
///       6                                                  0-5[0-1]>5  0-4[2]>4    0-7[0-1]>7  0-6[2]>6
///
/// Example, exclusive: p = 8, m = 3, blocks of 1, nodes of 2. 0-2[0-1]>3 is elements 0 and 1 of x_0 (+) ... (+) x_2,
/// sent to rank 3.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1  0[2]>1      1[0-1]>0    2[2]>3      3[0-1]>2    4[2]>5      5[0-1]>4    6[2]>7      7[0-1]>6
///       2  0-1[0]>2    0-1[2]>3
///       3  0-1[1]>2                0-3[0]>4    0-3[2]>5
///       4  0[0-1]>1                0-3[1]>4                0-5[0]>6    0-5[2]>7
///       5                          0-2[0-1]>3  0-1[2]>2    0-5[1]>6
///       6                                                  0-4[0-1]>5  0-3[2]>4    0-6[0-1]>7  0-5[2]>6
template <bool exclusive>
void lane(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const Group node = nodes.own(net);
  if (net.length() < node.size()) return hierarchical<exclusive>(net);
  const Blocks pieces{net.length(), node.size()};
  List<Value> S = own_pieces(net, node, pieces, node.size());
  scan_pieces(net, S);
  Prefixes P;
  if (nodes.count() > 1) {
    P = exscan_between(nodes.lane(net), {pieces.count(node.rank()), blocks_in_lanes(nodes, net.length(), net.params())},
                       [&](std::int64_t from, std::int64_t count) { return part(S.back(), from, count); });
    for (Value& S_s : S) S_s = P.through && &S_s == &S.back() ? P.through : net.combine(P.before, S_s);
  }
  if (exclusive) {
    S.insert(S.begin(), P.before);
    S.pop_back();
  }
  give_back(net, node, pieces, S, !exclusive || net.rank() > 0);
}

template <bool exclusive>
inline constexpr AlgorithmInfo lane_info{
    .paper = exclusive ? "Traeff, Hunold 2020, lanes; Gorlatch, Lengauer 1997, section 5.3, exclusive form, in nodes"
                       : "Traeff, Hunold 2020, lanes; Gorlatch, Lengauer 1997, section 5.3, in nodes",
    .summary = "all to all in equal nodes, their c ranks scan a c-th of the vector each between nodes, and back",
    .rounds = "2(c-1) + log2 N, or N+b-2 instead of log2 N",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .varies_with_blocks = true,
    .placement = Placement::equal,
    .flat = "transpose",
};

}  // namespace mpigraft::prefix
