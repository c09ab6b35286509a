// SPDX-License-Identifier: MIT
// The one doubling exclusive scan; a BitPattern makes it 1-doubling, two-op, 123-doubling or round-optimal.
//
// Round structure of the doubling exclusive scans. W covers the s ranks before r, at first s = 0. A round is
// one bit:
//   1, inclusive: send W (+) V to r + (s+1); s becomes 2s+1
//   0, exclusive: send W       to r + s;     s becomes 2s
// so after all rounds s is the number N that the bits spell, most significant first, and N >= p-1 is
// necessary and sufficient. The three algorithms of Traeff 2025 and the round-optimal one are four ways to
// choose N; an inclusive round after the first costs one operator application more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/program.hpp"

namespace mpigraft {

struct BitPattern {
  std::uint64_t bits = 0;  // N
  int length = 0;          // rounds

  constexpr bool inclusive(int round) const { return bits >> (length - 1 - round) & 1; }
  constexpr int ones() const { return std::popcount(bits); }
};

/// `ones` inclusive rounds, then exclusive ones.
constexpr BitPattern ones_then_zeros(int ones, int length) {
  return {((std::uint64_t{1} << ones) - 1) << (length - ones), length};
}

/// 1-doubling: shift by one, then double over p-1 ranks (Traeff 2025, section 2).
constexpr BitPattern pattern_1(int p) { return p <= 1 ? BitPattern{} : ones_then_zeros(1, 1 + ceil_log2(p - 1)); }

/// Two-op doubling: every round inclusive (Traeff 2025, section 2).
constexpr BitPattern pattern_two_op(int p) { return ones_then_zeros(ceil_log2(p), ceil_log2(p)); }

/// 123-doubling: skips 1, 2, 3, 6, 12, ... (Traeff 2025, Algorithm 1). The stopping rule in integers: the paper's
/// log2(p-1) + log2(4/3) is exactly integral at p-1 = 3 * 2^j, where floating point would go wrong.
constexpr BitPattern pattern_123(int p) {
  if (p <= 2) return ones_then_zeros(p - 1, p - 1);
  int q = 2;
  while (std::int64_t{3} << (q - 2) < p - 1) ++q;
  return ones_then_zeros(2, q);
}

/// Fewest rounds, ceil(log2 p), and among those the fewest applications: leading ones of p-1, and one more
/// where any bit of p-1 remains (Traeff 2026, arXiv:2604.25667, first algorithm).
constexpr BitPattern pattern_round_optimal(int p) {
  if (p <= 1) return {};
  const int q = ceil_log2(p);
  int ones = 1;
  while (ones_then_zeros(ones, q).bits < static_cast<std::uint64_t>(p - 1)) ++ones;
  return ones_then_zeros(ones, q);
}

/// Seconds of a pattern on messages of `bytes`: every round one exchange, at most one application in every
/// round after the first, and one more in inclusive ones.
constexpr double cost(BitPattern pattern, std::int64_t bytes, const Machine& machine) {
  if (pattern.length == 0) return 0;
  const double exchange = machine.latency + static_cast<double>(bytes) * machine.per_byte;
  const double combine = static_cast<double>(bytes) * machine.combine_per_byte;
  return pattern.length * exchange + (pattern.length - 1 + pattern.ones() - 1) * combine;
}

/// The cheapest of the above in the linear model: fewest rounds for small messages, fewest applications for large
/// ones. 123-doubling is never between the two: it is the round-optimal pattern or as long as 1-doubling.
constexpr BitPattern pattern_adaptive(int p, std::int64_t m, const Params& params) {
  const std::int64_t bytes = m * params.element_bytes;
  return std::min({pattern_round_optimal(p), pattern_1(p)}, [&](BitPattern a, BitPattern b) {
    return cost(a, bytes, params.machine) < cost(b, bytes, params.machine);
  });
}

}  // namespace mpigraft

namespace mpigraft::exscan {

/// The exclusive prefix of this rank. Invariant: before a round W = V_(max(0, r-s)) (+) ... (+) V_(r-1).
inline Value by_pattern(const Group& net, Value V, BitPattern pattern) {
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
