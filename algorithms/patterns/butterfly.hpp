// SPDX-License-Identifier: MIT
// Butterfly on the largest power of two up to p, for messages cut in halves: P = 2^k virtual ranks, made of the p ranks
// by folding neighbours, the first p-P pairs, so that rank order is kept. In round d virtual rank v talks to v ^ 2^d,
// and what they share is cut in two: the lower rank's half first. Where v ends is the bit reversal of v.
#pragma once

#include <bit>
#include <cstdint>

#include "algorithms/transport.hpp"

namespace mpigraft::folded_butterfly {

/// The ranks that take part: the lower one of each pair, or the root if it is in the pair.
struct Fold {
  constexpr Fold(int p, int head)
      : rounds(std::bit_width(static_cast<unsigned>(p)) - 1), pairs(p - (1 << rounds)), root(head) {}

  constexpr bool paired(int rank) const { return rank < 2 * pairs; }
  constexpr int partner(int rank) const { return paired(rank) ? rank ^ 1 : none; }
  constexpr int to_virtual(int rank) const { return paired(rank) ? rank / 2 : rank - pairs; }
  constexpr int to_rank(int v) const {
    if (v >= pairs) return v + pairs;
    return paired(root) && root / 2 == v ? root : 2 * v;
  }
  constexpr bool takes_part(int rank) const { return to_rank(to_virtual(rank)) == rank; }

  int rounds;  // k
  int pairs;
  int root;
};

/// Elements [first, first + count) of the message.
struct Share {
  std::int64_t first, count;
};

/// The part of m elements that v keeps after `rounds` rounds.
constexpr Share share(int v, int rounds, std::int64_t m) {
  Share kept{0, m};
  for (int d = 0; d < rounds; ++d) {
    const std::int64_t lower = kept.count - kept.count / 2;
    kept = v >> d & 1 ? Share{kept.first + lower, kept.count - lower} : Share{kept.first, lower};
  }
  return kept;
}

/// The round in which v leaves a gather to `root`, and joins a scatter: their highest differing bit. -1 at the root.
constexpr int leaves(int v, int root) { return std::bit_width(static_cast<unsigned>(v ^ root)) - 1; }

}  // namespace mpigraft::folded_butterfly
