// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mpigraft {

/// Times at which ranks end an exchange that they begin at `times`. Each sends to the rank s after it, modulo their
/// number, and receives from the rank s before it.
inline std::vector<int> after_exchange(const std::vector<int>& times, int s) {
  std::vector<int> done = times;
  const std::size_t p = times.size();
  for (std::size_t r = 0; r < p; ++r) {
    const std::size_t to = (r + static_cast<std::size_t>(s)) % p;
    done[r] = std::max(done[r], times[to]);
    done[to] = std::max(done[to], times[r]);
  }
  for (int& time : done) ++time;
  return done;
}

}  // namespace mpigraft
