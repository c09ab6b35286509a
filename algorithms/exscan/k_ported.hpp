// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "algorithms/program.hpp"

namespace mpigraft {

// Round structure, as exscan/by_pattern.hpp with k messages at once: a round is a digit g of p-1 in base k+1. Before
// it W covers s ranks. It brings g inclusive pieces of s+1 ranks, then k-g exclusive ones of s ranks, each just beyond
// what is covered by then. So s becomes (k+1)s + g, and in the end p-1.

/// The block that rank r gets from rank r - distance in one round.
struct Piece {
  std::int64_t distance;
  bool inclusive;  // W (+) V of the sender; else its W
};

class KPortedPattern {
 public:
  constexpr KPortedPattern(int p, int k) {
    std::int64_t place = 1;
    while (place * (k + 1) <= p - 1) place *= k + 1;
    for (std::int64_t s = 0; s < p - 1; place /= k + 1) {
      const auto digit = static_cast<int>((p - 1) / place % (k + 1));
      std::int64_t covered = s;
      for (int j = 0; j < k && (j < digit || s > 0); ++j) {
        const bool inclusive = j < digit;
        pieces_[static_cast<std::size_t>(count_++)] = {covered + inclusive, inclusive};
        covered += s + inclusive;
      }
      s = covered;
      ends_[static_cast<std::size_t>(++rounds_)] = count_;
    }
  }

  /// ceil(log_(k+1) p), which no k-ported algorithm undercuts.
  constexpr int rounds() const { return rounds_; }
  constexpr std::span<const Piece> round(int i) const {
    const auto first = static_cast<std::size_t>(ends_[static_cast<std::size_t>(i)]);
    return {pieces_.data() + first, static_cast<std::size_t>(ends_[static_cast<std::size_t>(i) + 1]) - first};
  }
  constexpr std::span<const Piece> all() const { return {pieces_.data(), static_cast<std::size_t>(count_)}; }

 private:
  std::array<Piece, 10 * max_ports> pieces_{};  // most: ten digits in base 9, or 31 bits
  std::array<int, 33> ends_{};
  int rounds_ = 0, count_ = 0;
};

}  // namespace mpigraft

namespace mpigraft::exscan {

/// W := V_0 (+) ... (+) V_(r-1) where a rank can send and receive k messages at once. With k = 1 the digits are the
/// bits of p-1, the second round-optimal algorithm of Traeff 2026.
///
/// Example: p = 8, m = 1, k = 2. 0-1>4 is x_0 (+) x_1, sent to rank 4.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6       rank 7
///       1  0>1 0>2      1>2 1>3      2>3 2>4      3>4 3>5      4>5 4>6      5>6 5>7      6>7
///       2  0>3          0-1>4 0>6    0-2>5 0-1>7  1-3>6        2-4>7
struct k_ported {
  static void text(Program& net) {
    const int r = net.rank();
    const Value V = net.input();
    const KPortedPattern pattern(net.size(), net.params().ports);
    Value W = nothing;
    List<Value> in;
    for (int i = 0; i < pattern.rounds(); ++i) {
      const Value X = pattern.round(i)[0].inclusive ? net.combine(W, V) : nothing;
      in.clear();
      for (const Piece& piece : pattern.round(i)) net.send(piece.inclusive ? X : W, r + piece.distance);
      for (const Piece& piece : pattern.round(i))
        if (r - piece.distance >= !piece.inclusive) in.push_back(net.recv(r - piece.distance, V.count));
      for (const Value& arrived : in) W = net.combine(arrived, W);
    }
    net.result(W);
  }

  static constexpr AlgorithmInfo info{
      .paper = "after Traeff 2026, arXiv:2604.25667",
      .summary = "k messages at once (the rule's ports, 2 unless told): round-optimal for k ports",
      .rounds = "ceil(log_(k+1) p)",
      .k_ported = true,
  };
};

}  // namespace mpigraft::exscan
