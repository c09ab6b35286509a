// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/part.hpp"
#include "algorithms/patterns/node_heads.hpp"
#include "algorithms/ports.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce {

/// From each node to its head, then from the heads to the root, in rank order throughout.
struct hierarchical {
  template <AsyncTransport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    const NodeHeads nodes(net.size(), params);
    const int i = nodes.of(net.rank()), first = nodes.first(i), N = nodes.count();
    const Block pool = net.scratch(V.count, 2);
    const Block spare = pool.part(0, V.count), other = pool.part(V.count, V.count);
    const Block value = net.rank() == params.root ? W : other;
    Part node(net, nodes.size(i), net.rank() - first, pool, [first](int j) { return first + j; });
    binomial::run(node, V, value, {.root = nodes.head(i) - first});
    if (net.rank() != nodes.head(i)) return;
    Part heads(net, N, i, pool, [&nodes](int k) { return nodes.head(k); });
    const std::int64_t b = blocks_between_heads(N, V.count, params, true);
    if (b == 0)
      binomial::run(heads, value, W, {.root = nodes.root_node()});  // the value may be overwritten: it is in the pool
    else if (i == nodes.root_node())
      at_end_of_chains(heads, W, spare, other, {V.count, b});
    else
      along_chain(heads, value, spare, nodes.root_node(), {V.count, b});
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const NodeHeads nodes(p, params);
    const int N = nodes.count(), x = nodes.root_node();
    const std::int64_t b = blocks_between_heads(N, m, params, true);
    std::vector<int> done;
    for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
    Theorem stated{.rounds = b > 0 ? rounds_along_chains(done, x, b) : rounds_by_tree(done, x), .sent = p > 1 ? m : 0};
    for (int i = 0; i < N; ++i) {
      const int c = nodes.size(i), head = nodes.head(i) - nodes.first(i);
      const int from_heads = b > 0 ? senders(i, x, N) : binomial_tree::children(i, N, x);
      for (int j = 0; j < c; ++j) {
        stated.applications_last = m * (binomial_tree::children(j, c, head) + (j == head ? from_heads : 0));
        stated.applications = std::max(stated.applications, stated.applications_last);
      }
    }
    stated.received = stated.applications;
    return stated;
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "MPICH, reduce_intra_smp; rank order, chains: Sanders, Speck, Traeff 2009, section 1",
      .summary = "within nodes, then between one rank of each by a binomial tree or pipelined chains, rank order kept",
      .rounds = "log2 c + log2 N, or about N+b-2 instead of log2 N",
      .pipelined = true,
      .placement = Placement::consecutive,
      .flat = "binomial",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Two chains end in x: 0, ..., x-1 and N-1, ..., x+1.
  template <AsyncTransport T>
  static void along_chain(T& net, Block value, Block in, int x, Blocks cut) {
    const int i = net.rank(), to = i < x ? i + 1 : i - 1, from = 2 * i - to;
    const bool receives = senders(i, x, net.size()) > 0;
    Inbox inbox(net);
    Outbox out(net);
    if (receives) inbox.expect(cut.of(in, 0), from);
    for (std::int64_t k = 0; k < cut.b; ++k) {
      const Block own = cut.of(value, k);
      if (!receives) {
        out.send(own, to);
        continue;
      }
      const Block other = inbox.take();
      if (k + 1 < cut.b) inbox.expect(cut.of(in, k + 1), from);
      i < x ? net.combine(other, own) : net.combine(own, other);
      out.send(i < x ? own : other, to);
    }
    out.finish();
  }
  /// Block by block from the upper, then from the lower chain.
  template <AsyncTransport T>
  static void at_end_of_chains(T& net, Block W, Block lower, Block upper, Blocks cut) {
    const int x = net.rank(), n = senders(x, x, net.size());
    const bool has_lower = x > 0, has_upper = x + 1 < net.size();
    Inbox in(net);
    const auto expect = [&](std::int64_t k) {
      const bool from_upper = has_upper && k % n == 0;
      if (k < n * cut.b) in.expect(cut.of(from_upper ? upper : lower, k / n), from_upper ? x + 1 : x - 1);
    };
    expect(0);
    for (std::int64_t k = 0; k < n * cut.b; ++k) {
      const Block block = in.take(), result = cut.of(W, k / n);
      expect(k + 1);
      if (has_upper && k % n == 0) {
        net.combine(result, block);
        if (!has_lower) net.copy(block, result);
      } else if (has_upper) {
        net.combine(block, cut.of(upper, k / n), result);
      } else {
        net.combine(block, result);
      }
    }
  }

  /// From how many heads head i receives in the chains.
  static constexpr int senders(int i, int x, int N) { return (i <= x && i > 0) + (i >= x && i + 1 < N); }

  static int rounds_by_tree(std::vector<int> done, int x) {
    using namespace binomial_tree;
    const int N = static_cast<int>(done.size());
    for (int k = 0; k < ceil_log2(N); ++k)
      for (int i = 0; i < N; ++i) {
        const int other = head(i, k, x) == i && head(i, k + 1, x) == i ? sibling(i, k, N, x) : none;
        if (other == none) continue;
        int& own = done[static_cast<std::size_t>(i)];
        own = 1 + std::max(own, done[static_cast<std::size_t>(other)]);
      }
    return done[static_cast<std::size_t>(x)];
  }
  /// A head passes block 0 on when it has come and the head is done in its node, the others round by round; the root
  /// takes two rounds for each where it ends both chains.
  static int rounds_along_chains(const std::vector<int>& done, int x, std::int64_t b) {
    const int N = static_cast<int>(done.size()), n = senders(x, x, N), blocks = static_cast<int>(b);
    const auto at = [&](int i) { return done[static_cast<std::size_t>(i)]; };
    int lower = 0, upper = 0;  // when the root's neighbours have block 0
    for (int i = 0; i < x; ++i) lower = i == 0 ? at(0) : 1 + std::max(lower, at(i));
    for (int i = N - 1; i > x; --i) upper = i == N - 1 ? at(i) : 1 + std::max(upper, at(i));
    return std::max({at(x), upper, x > 0 ? lower - (n - 1) : 0}) + n * blocks;
  }
};

}  // namespace mpigraft::reduce
