// SPDX-License-Identifier: MIT
// Costs of the exclusive scans by a bit pattern.
#pragma once

#include <algorithm>

#include "algorithms/exscan/by_pattern.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft::exscan::costs {

/// Operator applications of rank r: one where it receives, one where it sends W (+) V.
constexpr int applications(BitPattern pattern, int p, std::int64_t r) {
  int n = 0;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    if (s > 0) n += (r > s) + (inclusive && r > 0 && r + s + 1 < p);
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return n;
}

/// Messages that rank r sends.
constexpr int sends(BitPattern pattern, int p, std::int64_t r) {
  int n = 0;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    n += inclusive ? r + s + 1 < p : r > 0 && r + s < p;
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return n;
}

/// Messages that rank r receives.
constexpr int receives(BitPattern pattern, std::int64_t r) {
  int n = 0;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    n += r > s;
    s = pattern.inclusive(k) ? 2 * s + 1 : 2 * s;
  }
  return n;
}

/// Rounds = length of the pattern. `applications` is a sum of steps that rise at r = s+1 and fall at r = p-1-s, so its
/// maximum is next to one of them. (Traeff 2025, Theorem 1 counts rank p-1 only: the true maximum of 123-doubling is
/// one more for most p.)
inline Cost by_pattern(BitPattern pattern, int p, std::int64_t m) {
  int most = 0;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    for (const std::int64_t r : {s + 1, p - 2 - s})
      if (r >= 0 && r < p) most = std::max(most, applications(pattern, p, r));
    s = pattern.inclusive(k) ? 2 * s + 1 : 2 * s;
  }
  return {.rounds = pattern.length,
          .applications = m * most,
          .applications_last = m * applications(pattern, p, p - 1),
          .sent = m * std::max(sends(pattern, p, 0), p > 1 ? sends(pattern, p, 1) : 0),
          .received = m * pattern.length};
}

template <BitPattern (*pattern)(int p)>
Cost of_pattern(int p, std::int64_t m, const Params&) {
  return by_pattern(pattern(p), p, m);
}

}  // namespace mpigraft::exscan::costs
