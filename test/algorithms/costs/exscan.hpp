// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/exscan/k_ported.hpp"
#include "algorithms/info.hpp"
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

inline Cost adaptive(int p, std::int64_t m, const Params& params) {
  return by_pattern(exscan::adaptive::pattern(p, m, params), p, m);
}

constexpr bool arrives(const Piece& piece, std::int64_t r) { return r - piece.distance >= !piece.inclusive; }
constexpr bool leaves(const Piece& piece, int p, std::int64_t r) {
  return r + piece.distance < p && (piece.inclusive || r > 0);
}

constexpr std::int64_t applications(const KPortedPattern& pattern, int p, std::int64_t r) {
  std::int64_t n = 0;
  for (int i = 0; i < pattern.rounds(); ++i) {
    const auto pieces = pattern.round(i);
    n += i > 0 && r > 0 && pieces[0].inclusive && leaves(pieces[0], p, r);
    for (const Piece& piece : pieces) n += arrives(piece, r);
  }
  return n - (r > 0 && p > 1);
}
inline std::int64_t sends(const KPortedPattern& pattern, int p, std::int64_t r) {
  return std::ranges::count_if(pattern.all(), [=](const Piece& piece) { return leaves(piece, p, r); });
}

/// One application for each piece that arrives after the first, and one where a rank sends W (+) V. As a function of
/// r the count changes only at the distances of pieces from either end of [0, p), so its maximum is next to one of
/// these.
inline Cost k_ported(int p, std::int64_t m, const Params& params) {
  const KPortedPattern pattern(p, params.ports);
  std::int64_t most = 0;
  for (const Piece& piece : pattern.all())
    for (const std::int64_t r : {piece.distance, piece.distance + 1, p - 2 - piece.distance, p - 1 - piece.distance})
      if (r >= 0 && r < p) most = std::max(most, applications(pattern, p, r));
  return {.rounds = pattern.rounds(),
          .applications = most * m,
          .applications_last = applications(pattern, p, p - 1) * m,
          .sent = std::max(sends(pattern, p, 0), sends(pattern, p, 1)) * m,
          .received = static_cast<std::int64_t>(pattern.all().size()) * m};
}

inline Cost scan_then_shift(int p, std::int64_t m, const Params&) {
  const int n = ceil_log2(p - 1), moves = p > 1 ? n + 1 : 0;
  return {.rounds = moves, .applications = n * m, .sent = moves * m, .received = moves * m};
}

}  // namespace mpigraft::exscan::costs
