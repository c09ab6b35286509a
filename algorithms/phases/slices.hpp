// SPDX-License-Identifier: MIT
// Reductions of a block in slices, through the memory that all ranks share: rank r combines slice r for all.
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::slices {

/// All publish their x in step `step`, and the ordered sum of their slice in step + 1. Returns the own sum, which is at
/// the begin of `beside`; `in` is room for an arrival.
template <SharedTransport T>
Block reduce_scatter(T& net, Block x, std::int64_t step, Block in, Block beside) {
  const int p = net.size(), r = net.rank();
  const Blocks slices{x.count, p};
  const Block mine = slices.of(x, r), sum = beside.part(0, mine.count);
  net.publish(x, step);
  for (int s = p - 1; s >= 0; --s) {
    const Page theirs{.owner = s, .step = step, .first = slices.first(r)};
    if (s == p - 1)
      s == r ? net.copy(mine, sum) : net.read(theirs, sum);
    else
      s == r ? net.combine(mine, sum) : net.read_and_combine(theirs, in.part(0, mine.count), sum, sum);
  }
  net.publish(sum, step + 1);
  return sum;
}

/// Collects in `result` the sums that all have published in `step`; `own` is this rank's.
template <SharedTransport T>
void gather(T& net, Block own, std::int64_t step, Block result) {
  const Blocks slices{result.count, net.size()};
  for (int owner = 0; owner < net.size(); ++owner) {
    const Block slice = slices.of(result, owner);
    owner == net.rank() ? net.copy(own, slice) : net.read({.owner = owner, .step = step}, slice);
  }
}

/// Both phases, block by block. W gets the result if this rank `gathers`.
template <SharedTransport T>
void reduce(T& net, Block V, Block W, const Params& params, bool gathers) {
  const Blocks cut = in_pages(V.count, params, net.size());
  const std::int64_t longest = Slices(cut, net.size()).longest();
  const Block in = net.scratch(longest), beside = net.scratch(longest);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const Block sum = reduce_scatter(net, cut.of(V, i), 2 * i, in, beside);
    if (gathers) gather(net, sum, 2 * i + 1, cut.of(W, i));
  }
}
/// Figures of `reduce`. `gatherer` is the rank with the longest slices among those that gather; rank 0 has the longest
/// of all.
constexpr Theorem theorem(int p, std::int64_t m, const Params& params, int gatherer) {
  const Blocks cut = in_pages(m, params, p);
  const Slices all(cut, p);
  return {.rounds = static_cast<int>(2 * cut.b),
          .applications = (p - 1) * all.of(0),
          .applications_last = (p - 1) * all.of(p - 1),
          .sent = m + all.of(0),
          .received = std::max((p - 1) * all.of(0), m + (p - 2) * all.of(gatherer))};
}
/// Elements of scratch for `reduce`.
constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
  return 2 * Slices(in_pages(m, params, p), p).longest();
}

}  // namespace mpigraft::slices
