// SPDX-License-Identifier: MIT
// Reductions of a block in slices, through the memory that all ranks share: rank r combines slice r for all.
#pragma once

#include "algorithms/patterns/slices.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::slices {

/// All publish their x in step `step`, and each the ordered sum of its slice in the next one. That sum is at the begin
/// of `beside`; what comes goes through `in`.
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

/// The sums that all have published in `step`; `own` is this rank's.
template <SharedTransport T>
void gather(T& net, Block own, std::int64_t step, Block result) {
  const Blocks slices{result.count, net.size()};
  for (int owner = 0; owner < net.size(); ++owner) {
    const Block slice = slices.of(result, owner);
    owner == net.rank() ? net.copy(own, slice) : net.read({.owner = owner, .step = step}, slice);
  }
}

}  // namespace mpigraft::slices
