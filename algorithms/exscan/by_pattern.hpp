// SPDX-License-Identifier: MIT
// The one doubling exclusive scan; a BitPattern makes it 1-doubling, two-op, 123-doubling or round-optimal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::exscan {

/// W := V_0 (+) ... (+) V_(r-1). Invariant: before a round W covers ranks max(0, r-s)..r-1.
template <Transport T>
void run_by_pattern(T& net, Block V, Block W, BitPattern pattern) {
  const int p = net.size(), r = net.rank();
  const Block in = pattern.length > 1 ? net.scratch(V.count) : V;
  const Block X = pattern.ones() > 1 ? net.scratch(V.count) : V;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    const std::int64_t d = inclusive ? s + 1 : s;
    const int to = r + d < p && (inclusive || r > 0) ? static_cast<int>(r + d) : none;
    const int from = r > s ? static_cast<int>(r - d) : none;
    Block out = inclusive ? V : W;
    if (inclusive && to != none && r > 0 && s > 0) {
      net.combine(W, V, X);
      out = X;
    }
    net.sendrecv(out, to, s > 0 ? in : W, from);
    if (s > 0 && from != none) net.combine(in, W);
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
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

/// Elements of scratch memory for m elements.
constexpr std::int64_t scratch_of(BitPattern pattern, std::int64_t m) {
  return m * ((pattern.length > 1) + (pattern.ones() > 1));
}

/// An exclusive scan whose pattern depends on p alone.
template <BitPattern (*pattern)(int p)>
struct ByPattern {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    run_by_pattern(net, V, W, pattern(net.size()));
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) { return theorem_of(pattern(p), p, m); }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) { return scratch_of(pattern(p), m); }
};

}  // namespace mpigraft::exscan
