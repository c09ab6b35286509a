// SPDX-License-Identifier: MIT
// The reduction between nodes, among one rank of each, in rank order.
#pragma once

#include <vector>

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/program.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::reduce {

/// Two chains end in x: 0, ..., x-1 and N-1, ..., x+1. A rank joins what comes to its own value and passes it on. Rank
/// x joins what comes from the upper, then from the lower chain, and has the sum.
inline Value along_chains(Group& net, Value value, int x, Blocks cut) {
  const int i = net.rank(), N = net.size();
  List<Value> sums;
  net.overlap(Overlap::all);
  for (std::int64_t k = 0; k < cut.b; ++k) {
    Value sum = part(value, cut.first(k), cut.count(k));
    if (i >= x && i + 1 < N) sum = net.combine(sum, net.recv(i + 1, cut.count(k)));
    if (i <= x && i > 0) sum = net.combine(net.recv(i - 1, cut.count(k)), sum);
    if (i != x) net.send(sum, i < x ? i + 1 : i - 1);
    sums.push_back(sum);
  }
  net.overlap(Overlap::none);
  return i == x ? net.join(sums) : nothing;
}

/// Ordered reduction to rank x, which has the sum. It goes along chains in b blocks, or along a binomial tree if b is
/// 0.
inline Value reduce_between(Group& net, Value value, int x, std::int64_t b) {
  return b == 0 ? to_root(net, value, x) : along_chains(net, value, x, {value.count, b});
}

}  // namespace mpigraft::reduce
