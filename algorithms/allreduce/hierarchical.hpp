// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/allreduce/between_nodes.hpp"
#include "algorithms/bcast/binomial.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::allreduce {

/// Reduction to the first rank of each node, allreduce between the first ranks, and broadcast in each node.
struct hierarchical {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Nodes nodes(net.size(), params);
    const int i = nodes.of(net.rank()), first = nodes.first(i), N = nodes.count();
    const Block pool = net.scratch(V.count, 2);
    Part node(net, nodes.size(i), net.rank() - first, pool, [first](int j) { return first + j; });
    reduce::binomial::run(node, {V, W}, {});
    if (net.rank() == first) {
      Part firsts(net, N, i, pool, [&nodes](int k) { return nodes.first(k); });
      run_in_groups(firsts, {W, W}, halvings_between(N, V.count, params));
    }
    bcast::send_from_root(node, W, 0);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Nodes nodes(p, params);
    const int N = nodes.count(), halvings = halvings_between(N, m, params);
    const Grouping groups(N);
    std::vector<int> done;
    for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
    done = done_in_groups(std::move(done), halvings);
    Theorem stated;
    for (int i = 0; i < N; ++i) {
      const int c = nodes.size(i);
      stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
      for (int j = 0; j < c; ++j) {
        const GroupWork work = j == 0 ? work_in_groups(groups, i, m, halvings) : GroupWork{0, m};
        const std::int64_t of_node = binomial_tree::children(j, c, 0) * m;
        stated.applications_last = of_node + work.combined;
        stated.applications = std::max(stated.applications, stated.applications_last);
        stated.sent = std::max(stated.sent, of_node + work.exchanged);
      }
    }
    stated.received = stated.sent;
    return stated;
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "MPICH, allreduce_intra_smp; halvings between nodes: Rabenseifner 2004",
      .summary = "up a tree in each node, halving and doubling between one rank of each, and down, rank order kept",
      .rounds = "2 log2 c + log2 N, and as many as halvings of up to log2 N",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .varies_with_nodes = true,
      .same_on_all_ranks = true,
      .placement = Placement::consecutive,
      .flat = "recursive_doubling",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
