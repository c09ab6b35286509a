// SPDX-License-Identifier: MIT
// The one doubling exclusive scan; a BitPattern makes it 1-doubling, two-op, 123-doubling or round-optimal.
#pragma once

#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::exscan {

/// The exclusive prefix of this rank. Invariant: before a round W = V_(max(0, r-s)) (+) ... (+) V_(r-1).
inline Value by_pattern(Group& net, Value V, BitPattern pattern) {
  const int r = net.rank();
  Value W = nothing;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    const std::int64_t d = inclusive ? s + 1 : s;
    net.send(inclusive ? net.combine(W, V) : W, r + d);
    if (r > s) W = net.combine(net.recv(r - d, V.count), W);
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return W;
}

/// An exclusive scan whose pattern depends on p alone.
inline void by_pattern(Program& net, BitPattern pattern) { net.result(by_pattern(net, net.input(), pattern)); }

}  // namespace mpigraft::exscan
