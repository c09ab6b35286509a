// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce {

/// Ordered reduction between nodes, among one rank of each, to rank x, which has the sum. It goes along chains in b
/// blocks, or along a binomial tree if b is 0.
inline Value reduce_between(const Group& net, Value value, int x, std::int64_t b) {
  if (b == 0) return to_root(net, value, x);
  const List<Value> sums =
      along_tree(net, {value.count, b}, Chain::place(net.rank(), net.size(), x),
                 [=](std::int64_t first, std::int64_t count) { return part(value, first, count); });
  return net.rank() == x ? net.join(sums) : nothing;
}

/// Reduction in each node to its head, then of the heads to the root, in rank order throughout.
///
/// Example: p = 8, m = 3, blocks of 1, root 0, nodes of 2. 6-7[0]>4 is element 0 of x_6 (+) x_7, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1            1>0                 3>2                 5>4                 7>6
///       2                                                              6-7[0]>4
///       3                                          4-7[0]>2            6-7[1]>4
///       4                      2-7[0]>0            4-7[1]>2            6-7[2]>4
///       5                      2-7[1]>0            4-7[2]>2
///       6                      2-7[2]>0
inline void hierarchical(Program& net) {
  const Nodes nodes(net.size(), net.params());
  const int i = nodes.of(net.rank());
  const Value value = to_root(nodes.own(net), net.input(), nodes.head(i) - nodes.first(i));
  if (net.rank() != nodes.head(i)) return;
  const std::int64_t b = blocks_between_heads(nodes.count(), net.length(), net.params(), true);
  net.result(reduce_between(nodes.heads(net), value, nodes.root_node(), b));
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "MPICH, reduce_intra_smp; rank order, chains: Sanders, Speck, Traeff 2009, section 2",
    .summary = "within nodes, then between one rank of each by a binomial tree or pipelined chains, rank order kept",
    .rounds = "log2 c + log2 N, or about N+b-2 instead of log2 N",
    .cuts = Cuts::blocks,
    .varies_with_blocks = true,
    .placement = Placement::consecutive,
    .flat = "binomial",
};

}  // namespace mpigraft::reduce
