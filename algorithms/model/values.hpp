// SPDX-License-Identifier: MIT
// Symbolic values: which ranks' inputs a value is made of. `of(lo, hi)` is the product of ranks lo..hi-1.
#pragma once

#include <cstdint>
#include <string>

namespace mpigraft::model {

/// Under an operator that is associative and nothing else only neighbours combine, the lower on the left.
class Ordered {
 public:
  static constexpr Ordered of(int lo, int hi) { return {lo, hi}; }
  /// out := lower (+) upper; false where that is no product of consecutive ranks.
  static constexpr bool combine(Ordered lower, Ordered upper, Ordered& out) {
    out = {lower.lo, upper.hi};
    return lower.hi == upper.lo;
  }
  std::string words() const { return "ranks " + std::to_string(lo) + ".." + std::to_string(hi - 1); }
  friend constexpr bool operator==(Ordered, Ordered) = default;

  int lo = 0, hi = 0;
};

/// Under a commutative operator any two values combine, but no input may count twice: a value is the sum of random
/// weights of its ranks. Weights are differences of consecutive random numbers, so a product of consecutive ranks has
/// its weight at once; any two different multisets agree with probability 2^-64.
class Commutative {
 public:
  static constexpr Commutative of(int lo, int hi) { return {random(hi) - random(lo)}; }
  static constexpr bool combine(Commutative a, Commutative b, Commutative& out) {
    out = {a.weight + b.weight};
    return true;
  }
  std::string words() const { return "ranks of weight " + std::to_string(weight); }
  friend constexpr bool operator==(Commutative, Commutative) = default;

  std::uint64_t weight = 0;

 private:
  /// Scrambles a counter with odd multipliers and shifts, a bijection of 64 bits.
  static constexpr std::uint64_t random(int index) {
    auto x = static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U;
    for (int i = 0; i < 3; ++i) x = (x ^ x >> 31) * 0xd6e8feb86659fd93U;
    return x ^ x >> 32;
  }
};

}  // namespace mpigraft::model
