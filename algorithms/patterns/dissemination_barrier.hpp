// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/program.hpp"

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

}  // namespace mpigraft
