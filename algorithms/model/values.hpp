// SPDX-License-Identifier: MIT
// Symbolic values, which say of which ranks' inputs a value is made. `of(lo, hi)` is the product of ranks lo..hi-1.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/composition.hpp"

namespace mpigraft::model {

/// Scrambles 64 bits with odd multipliers and shifts, a bijection.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  for (int i = 0; i < 3; ++i) x = (x ^ x >> 31) * 0xd6e8feb86659fd93U;
  return x ^ x >> 32;
}
/// Different for every number.
constexpr std::uint64_t random_of(int number) {
  return scrambled(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U);
}

/// Value under an operator that is associative and nothing else: only neighbours combine, the lower on the left.
class Ordered {
 public:
  static constexpr Ordered of(int lo, int hi) { return {lo, hi}; }
  /// out := lower (+) upper; false if that is no product of consecutive ranks.
  static constexpr bool combine(Ordered lower, Ordered upper, Ordered& out) {
    out = {lower.lo, upper.hi};
    return lower.hi == upper.lo;
  }
  /// A tree's hash, from those of its two subtrees.
  static constexpr std::uint64_t joined(std::uint64_t lower, std::uint64_t upper) {
    return scrambled(scrambled(lower) + upper);
  }
  std::string words() const { return "ranks " + std::to_string(lo) + ".." + std::to_string(hi - 1); }
  friend constexpr bool operator==(Ordered, Ordered) = default;

  int lo = 0, hi = 0;
};

/// Value under a commutative operator: any two combine, but no input may count twice. A value is the sum of random
/// weights of its ranks. Weights are differences of consecutive random numbers, so the weight of a product of
/// consecutive ranks follows at once. Any two different multisets agree with probability 2^-64.
class Commutative {
 public:
  static constexpr Commutative of(int lo, int hi) { return {random_of(hi) - random_of(lo)}; }
  static constexpr bool combine(Commutative a, Commutative b, Commutative& out) {
    out = {a.weight + b.weight};
    return true;
  }
  /// The same if subtrees are swapped: sums and products of floating-point numbers commute bit for bit, they only do
  /// not associate. (The sign of a zero that is a minimum or maximum, and which of two NaNs survives, may still
  /// differ.)
  static constexpr std::uint64_t joined(std::uint64_t a, std::uint64_t b) { return scrambled(a + b); }
  std::string words() const { return "ranks of weight " + std::to_string(weight); }
  friend constexpr bool operator==(Commutative, Commutative) = default;

  std::uint64_t weight = 0;
};

/// A value with its association: a hash of the tree in which its operands were combined. Copies keep it. Values with
/// different associations are equal where they are made of the same inputs.
template <class Value>
class Associated {
 public:
  /// One leaf if hi == lo + 1. Longer ranges only occur as expected results, which are compared without their trees.
  static constexpr Associated of(int lo, int hi) { return {Value::of(lo, hi), random_of(lo)}; }
  static constexpr bool combine(const Associated& lower, const Associated& upper, Associated& out) {
    out.tree = Value::joined(lower.tree, upper.tree);
    return Value::combine(lower.value, upper.value, out.value);
  }
  std::string words() const { return value.words(); }
  friend constexpr bool operator==(const Associated& a, const Associated& b) { return a.value == b.value; }

  Value value = {};
  std::uint64_t tree = 0;
};

// The values of the composition rules. All that is known of these operators is that they are associative and that (x)
// distributes over (+).

/// The (+) sum of x_first (x) ... (x) x_j over all j from `last` to `end`-1, which is a sum of neighbouring prefixes.
struct SumOfProducts {
  int first = 0, last = 0, end = 0;
  friend constexpr bool operator==(SumOfProducts, SumOfProducts) = default;
};

/// The value under <(+),(x)> of one rank, or what comes of combining such values; `combine` is false where that is no
/// such sum or product.
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
