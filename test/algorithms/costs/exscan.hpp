// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"
#include "algorithms/exscan/k_ported.hpp"
#include "algorithms/info.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft::exscan::costs {

/// Vectors of rank r. It applies the operator where it receives, and once more where it sends W (+) V.
constexpr Tally tally(BitPattern pattern, int p, std::int64_t r) {
  Tally all;
  std::int64_t s = 0;
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k), receives = r > s;
    const bool sends = inclusive ? r + s + 1 < p : r > 0 && r + s < p;
    all = all + Tally{s > 0 ? receives + (inclusive && r > 0 && sends) : 0, sends, receives};
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return all;
}

/// Rounds = length of the pattern. (Traeff 2025, Theorem 1 counts the applications of rank p-1 only: the true maximum
/// of 123-doubling is one more for most p.)
inline Cost by_pattern(BitPattern pattern, int p, std::int64_t m) {
  return over_ranks(pattern.length, p, [=](int r) { return tally(pattern, p, r) * m; });
}

template <BitPattern (*pattern)(int p)>
Cost of_pattern(int p, std::int64_t m, const Params&) {
  return by_pattern(pattern(p), p, m);
}

inline Cost adaptive(int p, std::int64_t m, const Params& params) {
  return by_pattern(pattern_adaptive(p, m, params), p, m);
}

constexpr bool arrives(const Piece& piece, std::int64_t r) { return r - piece.distance >= !piece.inclusive; }
constexpr bool leaves(const Piece& piece, int p, std::int64_t r) {
  return r + piece.distance < p && (piece.inclusive || r > 0);
}

/// One application for each piece that arrives after the first, and one where a rank sends W (+) V.
inline Cost k_ported(int p, std::int64_t m, const Params& params) {
  const List<List<Piece>> rounds = k_ported_rounds(p, params.ports);
  return over_ranks(static_cast<int>(rounds.size()), p, [&](int r) {
    Tally all{.combined = -(r > 0 && p > 1)};
    for (const List<Piece>& round : rounds) {
      all.combined += &round != &rounds[0] && r > 0 && round[0].inclusive && leaves(round[0], p, r);
      for (const Piece& piece : round) all = all + Tally{arrives(piece, r), leaves(piece, p, r), arrives(piece, r)};
    }
    return all * m;
  });
}

inline Cost scan_then_shift(int p, std::int64_t m, const Params&) {
  const int n = ceil_log2(p - 1), moves = p > 1 ? n + 1 : 0;
  return cost_in(moves, Tally{n, moves, moves} * m, 0);
}

}  // namespace mpigraft::exscan::costs
