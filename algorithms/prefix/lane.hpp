// SPDX-License-Identifier: MIT
// Equal nodes of c ranks: between nodes, c lanes at once, each with a c-th of the vector.
#pragma once

#include <vector>

#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/between_nodes.hpp"
#include "algorithms/prefix/hierarchical.hpp"
#include "algorithms/prefix/pieces.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Rank j of a node owns piece j of its node's vectors. All to all in the node: it gets this piece of x_0, ...,
/// x_(c-1), and turns it into their scan S_0, ..., S_(c-1). The lane of all ranks j scans S_(c-1); P is the result of
/// the nodes before. Back: rank s gets P (+) S_s, in an exclusive scan P (+) S_(s-1).
template <bool exclusive>
void along_lanes(Program& net, const Nodes& nodes, std::int64_t b) {
  const int N = nodes.count(), c = nodes.size(0), i = nodes.of(net.rank()), j = net.rank() - nodes.first(i);
  const Blocks pieces{net.length(), c};
  Group node = net.among(c, j, [i, c](int s) { return i * c + s; });
  List<Value> S = own_pieces(net, node, pieces, c);
  scan_pieces(net, S);
  Prefixes P;
  if (N > 1) {
    Group lane = net.among(N, i, [c, j](int k) { return k * c + j; });
    P = exscan_between(lane, {pieces.count(j), b},
                       [&](std::int64_t from, std::int64_t count) { return part(S.back(), from, count); });
    for (Value& S_s : S) S_s = P.through && &S_s == &S.back() ? P.through : net.combine(P.before, S_s);
  }
  if (exclusive) {
    S.insert(S.begin(), P.before);
    S.pop_back();
  }
  give_back(net, node, pieces, S, !exclusive || i + j > 0);
}

/// With fewer elements than a node has ranks, over_nodes runs.
template <class A, bool exclusive>
struct ByLanes {
  /// Number of blocks of the chain, the same in all lanes.
  static std::int64_t blocks(const Nodes& nodes, std::int64_t m, const Params& params) {
    return nodes.count() > 1 ? blocks_between(nodes.count(), Blocks{m, nodes.size(0)}.count(0), params) : 0;
  }
  static void text(Program& net) {
    const Nodes nodes(net.size(), net.params());
    if (net.length() < nodes.size(0)) return over_nodes<exclusive>(net);
    along_lanes<exclusive>(net, nodes, blocks(nodes, net.length(), net.params()));
  }
};

}  // namespace mpigraft::prefix
