// SPDX-License-Identifier: MIT
// The reduction between nodes, among one rank of each, in rank order.
#pragma once

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/ports.hpp"
#include "algorithms/reduce/between_nodes_figures.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce {

/// A rank other than x. Two chains end in x: 0, ..., x-1 and N-1, ..., x+1. A rank joins what comes to its own value
/// and passes it on.
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
/// Rank x, where the chains end: block by block it joins what comes from the upper, then from the lower chain.
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

/// Ordered reduction to rank x, whose `value` becomes the sum; those of other ranks may be overwritten. It goes along
/// chains in b blocks, or along a binomial tree if b is 0.
template <AsyncTransport T>
void reduce_between(T& net, Block value, int x, std::int64_t b) {
  if (b == 0)
    binomial::run(net, {value, value}, {.root = x});
  else if (net.rank() == x)
    at_end_of_chains(net, value, {value.count, b});
  else
    along_chain(net, value, x, {value.count, b});
}

}  // namespace mpigraft::reduce
