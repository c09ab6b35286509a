// SPDX-License-Identifier: MIT
// A vector in one piece for each of p ranks, for scatters and gathers along the binomial tree. Ranks here are relative
// to the root, so that what goes through rank r, pieces [r, r + held(r)), is consecutive.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/parts.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

class RootedPieces {
 public:
  constexpr RootedPieces(std::int64_t m, int p, int root) : parts_(even_parts(m, p)), p_(p), root_(root) {}
  /// The pieces of p ranks, of which the first is the root: the parts from `skipped` on.
  constexpr RootedPieces(const Parts& parts, int p, int skipped = 0) : parts_(parts), p_(p), skipped_(skipped) {}

  constexpr int size() const { return p_; }
  constexpr int relative(int rank) const { return rank >= root_ ? rank - root_ : rank - root_ + p_; }
  constexpr int rank(int r) const { return static_cast<int>((std::int64_t{r} + root_) % p_); }

  constexpr std::int64_t first(int r) const { return parts_.first(skipped_ + r); }
  constexpr std::int64_t count(int r) const { return parts_.count(skipped_ + r); }

  /// Number of ranks below r in the binomial tree, r included.
  constexpr int held(int r) const { return r == 0 ? p_ : std::min(r & -r, p_ - r); }
  constexpr std::int64_t elements_held(int r) const { return first(r + held(r)) - first(r); }

  /// The partner of r at level k: its parent where that is a lower rank, else a child, or `none`.
  constexpr int neighbour(int r, int k) const {
    return binomial_tree::head(r, k, 0) == r ? binomial_tree::sibling(r, k, p_, 0) : none;
  }

 private:
  Parts parts_;
  int p_, root_ = 0, skipped_ = 0;
};

}  // namespace mpigraft
