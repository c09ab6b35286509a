// SPDX-License-Identifier: MIT
// The parts of a vector in the order in which a folded butterfly deals them out. Piece v has the parts of virtual rank
// v, two where it stands for a pair. Pieces lie in the order of the reversed bits of v, so that those of all virtual
// ranks with the same d lowest bits are consecutive.
#pragma once

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::folded_butterfly {

/// The lowest `bits` bits of v in reverse order.
constexpr int reversed(int v, int bits) {
  int result = 0;
  for (int i = 0; i < bits; ++i) result = result << 1 | (v >> i & 1);
  return result;
}

/// REQUIRES: the lower rank of each pair takes part.
class ReversedPieces {
 public:
  ReversedPieces(const Fold& fold, const Parts& parts) : fold_(fold), parts_(parts) {
    firsts_.reserve((std::size_t{1} << fold.rounds) + 1);
    firsts_.push_back(0);
    for (int i = 0; i < 1 << fold.rounds; ++i) firsts_.push_back(firsts_.back() + in_order(i).count);
  }

  int size() const { return 1 << fold_.rounds; }
  /// Where the i-th piece is in the vector in rank order.
  Share in_order(int i) const {
    const int v = reversed(i, fold_.rounds);
    const std::int64_t first = parts_.first(fold_.to_rank(v));
    return {first, parts_.first(fold_.to_rank(v + 1)) - first};
  }
  /// The pieces of all virtual ranks that agree with v in the d lowest bits.
  Share agreeing(int v, int d) const {
    const int i = reversed(v, d) << (fold_.rounds - d), end = i + (1 << (fold_.rounds - d));
    const std::int64_t first = firsts_[static_cast<std::size_t>(i)];
    return {first, firsts_[static_cast<std::size_t>(end)] - first};
  }

 private:
  const Fold fold_;
  const Parts parts_;
  std::pmr::vector<std::int64_t> firsts_;
};

}  // namespace mpigraft::folded_butterfly
