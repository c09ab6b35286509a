// SPDX-License-Identifier: MIT
// The two levels of a scan: within each node, between the last ranks of all nodes, and within each node again.
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/between_nodes.hpp"
#include "algorithms/program.hpp"
#include "algorithms/scan/hillis_steele.hpp"

namespace mpigraft::prefix {

/// L is the result within the node (inclusive or exclusive), T the node's total, which its last rank has. The last
/// ranks make P, the product of all nodes before. It goes to all ranks of the node, and the result is P (+) L.
template <bool exclusive>
void over_nodes(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const int N = nodes.count(), i = nodes.of(net.rank()), first = nodes.first(i), c = nodes.size(i);
  const int j = net.rank() - first, last = c - 1;
  const Value x = net.input();
  Group node = net.among(c, j, [first](int k) { return first + k; });
  const Value L = exclusive ? exscan::by_pattern(node, x, exscan::adaptive::pattern(c, net.length(), net.params()))
                            : scan::by_doubling(node, x);
  Prefixes P;
  if (j == last && N > 1) {
    Group last_ranks = net.among(N, i, [&nodes](int k) { return nodes.last(k); });
    P = exscan_between(last_ranks, {net.length(), blocks_between(N, net.length(), net.params())},
                       [&](std::int64_t from, std::int64_t count) {
                         const Value L_k = part(L, from, count);
                         return exclusive ? net.combine(L_k, part(x, from, count)) : L_k;
                       });
  }
  if (i == 0) return net.result(L);
  P.before = bcast::from_root(node, P.before, net.length(), last);
  net.result(P.through && !exclusive ? P.through : net.combine(P.before, L));
}

template <class A, bool exclusive>
struct Hierarchical {
  static void text(Program& net) { over_nodes<exclusive>(net); }
};

}  // namespace mpigraft::prefix
