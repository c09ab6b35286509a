// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::exscan {

// Round structure, as exscan/by_pattern.hpp with k messages at once: a round is a digit g of p-1 in base k+1. Before
// it W covers s ranks. It brings g inclusive pieces of s+1 ranks, then k-g exclusive ones of s ranks, each just beyond
// what is covered by then. So s becomes (k+1)s + g, and in the end p-1.

/// The block that rank r gets from rank r - distance in one round.
struct Piece {
  std::int64_t distance;
  bool inclusive;  // W (+) V of the sender; else its W
};

/// The blocks of each round, ceil(log_(k+1) p) of them, which no k-ported algorithm undercuts.
inline List<List<Piece>> k_ported_rounds(int p, int k) {
  std::int64_t place = 1;
  while (place * (k + 1) <= p - 1) place *= k + 1;
  List<List<Piece>> rounds;
  for (std::int64_t s = 0; s < p - 1; place /= k + 1) {
    const auto digit = static_cast<int>((p - 1) / place % (k + 1));
    List<Piece>& round = rounds.emplace_back();
    std::int64_t covered = s;
    for (int j = 0; j < k && (j < digit || s > 0); ++j) {
      const bool inclusive = j < digit;
      round.push_back({covered + inclusive, inclusive});
      covered += s + inclusive;
    }
    s = covered;
  }
  return rounds;
}

/// W := V_0 (+) ... (+) V_(r-1) where a rank can send and receive k messages at once. With k = 1 the digits are the
/// bits of p-1, the second round-optimal algorithm of Traeff 2026.
///
/// Example: p = 8, m = 1, k = 2. 0-1>4 is x_0 (+) x_1, sent to rank 4.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6       rank 7
///       1  0>1 0>2      1>2 1>3      2>3 2>4      3>4 3>5      4>5 4>6      5>6 5>7      6>7
///       2  0>3          0-1>4 0>6    0-2>5 0-1>7  1-3>6        2-4>7
inline void k_ported(Program& net) {
  const int r = net.rank();
  const Value V = net.input();
  Value W = nothing;
  List<Value> in;
  for (const List<Piece>& round : k_ported_rounds(net.size(), net.params().ports)) {
    const Value X = round[0].inclusive ? net.combine(W, V) : nothing;
    in.clear();
    for (const Piece& piece : round) net.send(piece.inclusive ? X : W, r + piece.distance);
    for (const Piece& piece : round)
      if (r - piece.distance >= !piece.inclusive) in.push_back(net.recv(r - piece.distance, V.count));
    for (const Value& arrived : in) W = net.combine(arrived, W);
  }
  net.result(W);
}

inline constexpr AlgorithmInfo k_ported_info{
    .paper = "after Traeff 2026, arXiv:2604.25667",
    .summary = "k messages at once (the rule's ports, 2 unless told): round-optimal for k ports",
    .rounds = "ceil(log_(k+1) p)",
    .scales = true,
    .k_ported = true,
};

}  // namespace mpigraft::exscan
