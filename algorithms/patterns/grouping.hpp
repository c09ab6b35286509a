// SPDX-License-Identifier: MIT
// Exchanges in groups of two, and of three where that spares a fold: 2^twos 3^threes virtual ranks, made of the p ranks
// by folding neighbours, the first pairs, so that rank order is kept. In step i groups of virtual ranks that are
// `apart(i)` apart exchange, nearest ones first.
#pragma once

#include <bit>

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft {

struct Grouping {
  /// Takes two threes at most, because these take ceil(log2 p) rounds, and three of them one more.
  constexpr explicit Grouping(int p) : fold(p, 0), twos(fold.rounds) {
    for (int n = 1, rest = p; n <= 2 && rest % 3 == 0; ++n) {
      rest /= 3;
      if (!std::has_single_bit(static_cast<unsigned>(rest))) continue;
      fold.pairs = 0;
      twos = std::bit_width(static_cast<unsigned>(rest)) - 1;
      threes = n;
    }
  }

  constexpr int steps() const { return twos + threes; }
  /// Number of ranks in a group of step i.
  constexpr int size(int i) const { return i < twos ? 2 : 3; }
  constexpr int apart(int i) const { return i <= twos ? 1 << i : (1 << twos) * 3; }
  /// One-ported rounds from step i on.
  constexpr int rounds(int i = 0) const { return twos - i + 2 * threes; }

  folded_butterfly::Fold fold;
  int twos, threes = 0;
};

}  // namespace mpigraft
