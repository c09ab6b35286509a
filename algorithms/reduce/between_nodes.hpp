// SPDX-License-Identifier: MIT
// The reduction between nodes, among one rank of each, in rank order, and its figures where they do not start together.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/ports.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce {

/// Two chains end in x: 0, ..., x-1 and N-1, ..., x+1. From how many ranks rank i receives.
constexpr int senders(int i, int x, int N) { return (i <= x && i > 0) + (i >= x && i + 1 < N); }

template <AsyncTransport T>
void along_chain(T& net, Block value, int x, Blocks cut) {
  const Block in = net.scratch(value.count);
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
void at_end_of_chains(T& net, Block value, Blocks cut) {
  const Block lower = net.scratch(value.count), upper = net.scratch(value.count);
  const int x = net.rank(), n = senders(x, x, net.size());
  const bool has_lower = x > 0, has_upper = x + 1 < net.size();
  Inbox in(net);
  const auto expect = [&](std::int64_t k) {
    const bool from_upper = has_upper && k % n == 0;
    if (k < n * cut.b) in.expect(cut.of(from_upper ? upper : lower, k / n), from_upper ? x + 1 : x - 1);
  };
  expect(0);
  for (std::int64_t k = 0; k < n * cut.b; ++k) {
    const Block block = in.take(), result = cut.of(value, k / n);
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

/// At rank x the ordered sum of all values takes the place of its own; elsewhere they may be overwritten. By chains of
/// b blocks, or along a binomial tree (no blocks).
template <AsyncTransport T>
void reduce_between(T& net, Block value, int x, std::int64_t b) {
  if (b == 0)
    binomial::run(net, {value, value}, {.root = x});
  else if (net.rank() == x)
    at_end_of_chains(net, value, {value.count, b});
  else
    along_chain(net, value, x, {value.count, b});
}

/// How many values come to rank i.
constexpr int senders_between(int i, int x, int N, std::int64_t b) {
  return b > 0 ? senders(i, x, N) : binomial_tree::children(i, N, x);
}

inline int rounds_by_tree(std::vector<int> done, int x) {
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
/// A rank passes block 0 on when it has come and the rank is done in its node, the others round by round; the root
/// takes two rounds for each where it ends both chains.
inline int rounds_along_chains(const std::vector<int>& done, int x, std::int64_t b) {
  const int N = static_cast<int>(done.size()), n = senders(x, x, N), blocks = static_cast<int>(b);
  const auto at = [&](int i) { return done[static_cast<std::size_t>(i)]; };
  int lower = 0, upper = 0;  // when the root's neighbours have block 0
  for (int i = 0; i < x; ++i) lower = i == 0 ? at(0) : 1 + std::max(lower, at(i));
  for (int i = N - 1; i > x; --i) upper = i == N - 1 ? at(i) : 1 + std::max(upper, at(i));
  return std::max({at(x), upper, x > 0 ? lower - (n - 1) : 0}) + n * blocks;
}

/// When x has the result, where rank i starts at done[i].
inline int rounds_between(const std::vector<int>& done, int x, std::int64_t b) {
  return b > 0 ? rounds_along_chains(done, x, b) : rounds_by_tree(done, x);
}

}  // namespace mpigraft::reduce
