// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/exscan/k_ported.hpp"
#include "algorithms/info.hpp"
#include "test/algorithms/costs/exscan_patterns.hpp"

namespace mpigraft::exscan::costs {

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
