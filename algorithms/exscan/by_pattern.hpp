// SPDX-License-Identifier: MIT
// The one doubling exclusive scan; a BitPattern makes it 1-doubling, two-op, 123-doubling or round-optimal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/info.hpp"
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
constexpr Theorem theorem_of(BitPattern pattern, int p, std::int64_t m) {
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

/// An exclusive scan whose pattern depends on p alone.
template <class A, BitPattern (*pattern)(int p)>
struct ByPattern {
  static void text(Program& net) { net.result(by_pattern(net, net.input(), pattern(net.size()))); }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) { return theorem_of(pattern(p), p, m); }
};

}  // namespace mpigraft::exscan
