// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/patterns/node_heads.hpp"

namespace mpigraft::bcast {

/// Broadcast from the root to the heads of all nodes, then from each head to its node.
///
/// Example: p = 8, m = 3, blocks of 1, root 0, nodes of 2. [0]>2 is element 0, sent to rank 2.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  [0]>2
///       2  [1]>2           [0]>4
///       3  [2]>2           [1]>4           [0]>6
///       4  0>1             [2]>4           [1]>6
///       5                  0>3             [2]>6
///       6                                  0>5             0>7
struct hierarchical {
  static void text(Program& net) {
    const NodeHeads nodes(net.size(), net.params());
    const int i = nodes.of(net.rank()), first = nodes.first(i), N = nodes.count(), root_node = nodes.root_node();
    Value message = net.rank() == net.params().root ? net.input() : nothing;
    if (net.rank() == nodes.head(i)) {
      Group heads = net.among(N, i, [&nodes](int k) { return nodes.head(k); });
      const std::int64_t b = blocks_between_heads(N, net.length(), net.params(), false);
      if (b > 0) {
        const auto blocks = along_tree(heads, {net.length(), b}, Chain::node(i, N, root_node), input_of(net));
        if (i != root_node) message = net.join(blocks);
      } else {
        message = from_root(heads, message, net.length(), root_node);
      }
    }
    Group node = net.among(nodes.size(i), net.rank() - first, [first](int j) { return first + j; });
    net.result(from_root(node, message, net.length(), nodes.head(i) - first));
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const NodeHeads nodes(p, params);
    const int N = nodes.count(), x = nodes.root_node();
    const std::int64_t b = blocks_between_heads(N, m, params, false);
    const std::vector<int> done = b > 0 ? done_along_chain(N, x, b) : done_by_tree(N, x);
    Theorem stated{.received = p > 1 ? m : 0};
    for (int i = 0; i < N; ++i) {
      const int c = nodes.size(i), head = nodes.head(i) - nodes.first(i);
      stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
      const int to_heads = b > 0 ? Chain::node(i, N, x).children() : binomial_tree::children(i, N, x);
      for (int j = 0; j < c; ++j)
        stated.sent = std::max(stated.sent, m * ((j == head ? to_heads : 0) + binomial_tree::children(j, c, head)));
    }
    return stated;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "MPICH, bcast_intra_smp; chain: Sanders, Speck, Traeff 2009, section 1",
      .summary = "between one rank of each node by a binomial tree or a pipelined chain, then within nodes, any root",
      .rounds = "at most log2 N + log2 c, or N+b-2 instead of log2 N",
      .pipelined = true,
      .placement = Placement::consecutive,
      .flat = "binomial",
      .text = text,
      .theorem = theorem,
  };

 private:
  /// Times at which the heads end their last send.
  static std::vector<int> done_along_chain(int N, int x, std::int64_t b) {
    std::vector<int> done;
    for (int i = 0; i < N; ++i) {
      const int place = (i - x + N) % N;
      done.push_back(std::min(place + 1, N - 1) + static_cast<int>(b) - 1);
    }
    return done;
  }
  static std::vector<int> done_by_tree(int N, int x) {
    using namespace binomial_tree;
    std::vector<int> done(static_cast<std::size_t>(N), 0);
    for (int k = ceil_log2(N) - 1; k >= 0; --k)
      for (int i = 0; i < N; ++i) {
        const int other = head(i, k + 1, x) == i ? sibling(i, k, N, x) : none;
        if (other != none) done[static_cast<std::size_t>(other)] = ++done[static_cast<std::size_t>(i)];
      }
    return done;
  }
};

}  // namespace mpigraft::bcast
