// SPDX-License-Identifier: MIT
// Round structure of the k-ported exclusive scan, as bit_pattern.hpp with k messages at once: a round is a digit g of
// p-1 in base k+1. Before it W covers s ranks. It brings g inclusive pieces of s+1 ranks, then k-g exclusive ones of s
// ranks, each just beyond what is covered by then. So s becomes (k+1)s + g, and in the end p-1.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "algorithms/info.hpp"

namespace mpigraft {

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
