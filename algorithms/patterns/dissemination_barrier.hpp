// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/patterns/log2.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// Barrier by dissemination (Hensgen, Finkel, Manber 1988): no rank leaves before all have come. Before the round with
/// skip s a rank knows of s ranks, itself and those before it on the circle.
inline void dissemination_barrier(Group& net) {
  const std::int64_t p = net.size(), r = net.rank();
  for (std::int64_t s = 1; s < p; s *= 2) {
    net.send_token((r + s) % p);
    net.recv_token((r + p - s) % p);
  }
}

/// Rounds of an algorithm of `steps` rounds with a barrier between any two.
constexpr int rounds_with_barriers(int steps, int p) { return steps > 0 ? steps + (steps - 1) * ceil_log2(p) : 0; }

}  // namespace mpigraft
