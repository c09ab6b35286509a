// SPDX-License-Identifier: MIT
// Symbolic values for the composition rules: pairs under <(+),(x)>. All that is known of these operators is that they
// are associative and that (x) distributes over (+).
#pragma once

#include <string>

#include "algorithms/composition.hpp"
#include "algorithms/model/values.hpp"

namespace mpigraft::model {

/// The (+) sum of x_first (x) ... (x) x_j over all j from `last` to `end`-1, which is a sum of neighbouring prefixes.
struct SumOfProducts {
  int first = 0, last = 0, end = 0;
  friend constexpr bool operator==(SumOfProducts, SumOfProducts) = default;
};

/// The value of one rank, or what comes of combining such values; `combine` is false where that is no such sum or
/// product.
class PairOfSums {
 public:
  /// The sum of all prefixes of ranks lo..hi-1, and their product; for one rank (x, x).
  static constexpr PairOfSums of(int lo, int hi) { return {{{lo, lo, hi}, {lo, hi}}}; }

  static constexpr bool combine(const PairOfSums& lower, const PairOfSums& upper, PairOfSums& out) {
    bool right = true;
    const auto times = [&](Ordered a, auto b) { return multiplied(a, b, right); };
    const auto plus = [&](SumOfProducts a, SumOfProducts b) {
      right &= a.first == b.first && a.end == b.last;
      return SumOfProducts{a.first, a.last, b.end};
    };
    out.pair = paired(plus, times, lower.pair, upper.pair);
    return right;
  }
  std::string words() const {
    return "a sum of products from rank " + std::to_string(pair.sum.first) + " to each of " +
           std::to_string(pair.sum.last) + ".." + std::to_string(pair.sum.end - 1);
  }
  friend constexpr bool operator==(const PairOfSums& a, const PairOfSums& b) {
    return a.pair.sum == b.pair.sum && a.pair.product == b.pair.product;
  }

  Pair<SumOfProducts, Ordered> pair = {};

 private:
  static constexpr Ordered multiplied(Ordered a, Ordered b, bool& right) {
    right &= Ordered::combine(a, b, a);
    return a;
  }
  /// (x) distributes over the sum.
  static constexpr SumOfProducts multiplied(Ordered a, SumOfProducts b, bool& right) {
    right &= a.hi == b.first;
    return {a.lo, b.last, b.end};
  }
};

}  // namespace mpigraft::model
