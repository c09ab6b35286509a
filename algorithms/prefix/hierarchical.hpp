// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/exscan/by_pattern.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/scan/hillis_steele.hpp"

namespace mpigraft::prefix {

/// Number of blocks of a chain of N last ranks, or 0 for doubling, where a rank sends whole totals in up to
/// ceil(log2(N-1)) + 1 rounds. A segment that cuts the vector selects the chain; otherwise the cheaper of both in the
/// linear model is selected.
inline std::int64_t blocks_between(int N, std::int64_t m, const Params& params) {
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, true), bytes = m * params.element_bytes;
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double each = static_cast<double>(bytes) / static_cast<double>(b);
  const double chain =
      static_cast<double>(N - 2 + b) * (machine.latency + each * (machine.per_byte + machine.combine_per_byte));
  return chain < cost(pattern_1(N), bytes, machine) ? b : 0;
}

/// P, the totals of the nodes before, and P (+) T of the own node, if that was made.
struct Prefixes {
  Value before, through;
};

/// The exclusive scan between nodes, among one rank of each. Of the totals T_0, T_1, ... gives node i P = T_0 (+) ...
/// (+) T_(i-1): along a chain in cut.b blocks, or by doubling if cut.b is 0. total(first, count) are elements of the
/// own one.
template <class Total>
Prefixes exscan_between(const Group& net, Blocks cut, Total total) {
  if (cut.b == 0) return {exscan::by_pattern(net, total(0, cut.m), pattern_1(net.size())), nothing};
  List<Value> T, before, through;
  for (std::int64_t k = 0; k < cut.b; ++k) T.push_back(total(cut.first(k), cut.count(k)));
  net.overlap(cut.b > 1 ? Overlap::all : Overlap::none);
  for (std::int64_t k = 0; k < cut.b; ++k) {
    before.push_back(net.recv(net.rank() - 1, cut.count(k)));
    through.push_back(net.combine(before.back(), T[static_cast<std::size_t>(k)]));
    net.send(through.back(), net.rank() + 1);
  }
  net.overlap(Overlap::none);
  return {net.join(before), net.join(through)};
}

/// Two levels. In a node L is the rank's own prefix, inclusive or exclusive, and T the node's total, which its last
/// rank has:
///   1. within each node     L, and T        scan/hillis_steele, or exscan/adaptive and T = L (+) x
///   2. between last ranks   P = T_0 (+) ... (+) T_(i-1) of the nodes before: along a chain in blocks, or by doubling
///   3. within each node     P to all        bcast/binomial
///   4. every rank           P (+) L
///
/// Example: p = 8, m = 3, blocks of 1, nodes of 2. 0-1[0]>3 is element 0 of x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0>1                 2>3                 4>5                 6>7
///       2            0-1[0]>3
///       3            0-1[1]>3            0-3[0]>5
///       4            0-1[2]>3            0-3[1]>5            0-5[0]>7
///       5                                0-3[2]>5            0-5[1]>7
///       6                                0-1>2               0-5[2]>7
///       7                                                    0-3>4               0-5>6
template <bool exclusive>
void hierarchical(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const Group node = nodes.own(net);
  const int N = nodes.count(), i = nodes.of(net.rank()), c = node.size(), last = c - 1;
  const Value x = net.input();
  const Value L = exclusive ? exscan::by_pattern(node, x, pattern_adaptive(c, net.length(), net.params()))
                            : scan::by_doubling(node, x);
  Prefixes P;
  if (node.rank() == last && N > 1) {
    const Group last_ranks = net.among(N, i, [&nodes](int k) { return nodes.last(k); });
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

template <bool exclusive>
inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "MPICH, scan_intra_smp; Traeff 2025, section 2, between nodes",
    .summary = "within nodes, between their last ranks by doubling or along a chain, within nodes again",
    .rounds = "about 2 log2 c + log2 N, or N+b-2 instead of log2 N",
    .cuts = Cuts::blocks,
    .varies_with_length = exclusive,
    .varies_with_blocks = true,
    .placement = Placement::consecutive,
    .flat = exclusive ? "adaptive" : "hillis_steele",
};

}  // namespace mpigraft::prefix
