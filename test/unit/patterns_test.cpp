// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/bit_pattern.hpp"

using namespace mpigraft;

namespace {

constexpr int most_ranks = 4096;

/// Ranks that W covers after all rounds, by the recurrence of bit_pattern.hpp.
std::uint64_t covered(BitPattern pattern) {
  std::uint64_t s = 0;
  for (int round = 0; round < pattern.length; ++round) s = pattern.inclusive(round) ? 2 * s + 1 : 2 * s;
  return s;
}

std::vector<BitPattern> patterns_of(int p) {
  return {pattern_1(p), pattern_two_op(p), pattern_123(p), pattern_round_optimal(p)};
}

}  // namespace

TEST_CASE("logarithms") {
  CHECK(ceil_log2(-1) == 0);
  CHECK(ceil_log2(0) == 0);
  for (std::int64_t x = 1; x <= most_ranks; ++x) {
    const int q = ceil_log2(x);
    CHECK((std::int64_t{1} << q) >= x);
    if (x > 1) CHECK((std::int64_t{1} << (q - 1)) < x);
  }
  CHECK(ceil_log2((std::int64_t{1} << 40) + 1) == 41);
}

TEST_CASE("every pattern covers all ranks before the last, and starts inclusively") {
  for (int p = 1; p <= most_ranks; ++p)
    for (const BitPattern pattern : patterns_of(p)) {
      CAPTURE(p, pattern.bits, pattern.length);
      REQUIRE(covered(pattern) == pattern.bits);
      REQUIRE(pattern.bits >= static_cast<std::uint64_t>(p - 1));
      REQUIRE((p == 1 ? pattern.length == 0 : pattern.inclusive(0)));
    }
}

TEST_CASE("round-optimal has the fewest rounds, and among those the fewest inclusive ones") {
  for (int p = 2; p <= most_ranks; ++p) {
    const BitPattern pattern = pattern_round_optimal(p);
    REQUIRE(pattern.length == ceil_log2(p));
    int fewest = pattern.length;
    for (unsigned n = static_cast<unsigned>(p - 1); n < 1u << pattern.length; ++n)
      fewest = std::min(fewest, std::popcount(n));
    CAPTURE(p);
    REQUIRE(pattern.ones() == fewest);
  }
}

TEST_CASE("123-doubling stops at the first q with 2^q >= 4/3 (p-1)") {
  for (std::int64_t p = 3; p <= most_ranks; ++p) {
    const int q = pattern_123(static_cast<int>(p)).length;
    CAPTURE(p, q);
    REQUIRE(3 * (std::int64_t{1} << q) >= 4 * (p - 1));
    if (p > 3) REQUIRE(3 * (std::int64_t{1} << (q - 1)) < 4 * (p - 1));
  }
  CHECK(pattern_123(1).length == 0);
  CHECK(pattern_123(2).length == 1);
  CHECK(pattern_123(3).length == 2);
  CHECK(pattern_123(4).length == 2);
  CHECK(pattern_123(5).length == 3);
  CHECK(pattern_123(7).length == 3);
  CHECK(pattern_123(8).length == 4);
}

TEST_CASE("1-doubling and two-op doubling") {
  for (int p = 2; p <= most_ranks; ++p) {
    REQUIRE(pattern_1(p).length == 1 + ceil_log2(p - 1));
    REQUIRE(pattern_1(p).ones() == 1);
    REQUIRE(pattern_two_op(p).length == ceil_log2(p));
    REQUIRE(pattern_two_op(p).ones() == ceil_log2(p));
  }
}

TEST_CASE("the adaptive pattern costs no more than any other, and few rounds when latency is all") {
  const Machine machine;
  for (int p = 2; p <= most_ranks; ++p) {
    for (const std::int64_t bytes : {0, 1000, 30000, 1000000}) {
      const double least = cost(pattern_adaptive(p, bytes, machine), bytes, machine);
      for (const BitPattern pattern : patterns_of(p)) REQUIRE(least <= cost(pattern, bytes, machine));
    }
    REQUIRE(pattern_adaptive(p, 0, machine).length == ceil_log2(p));
  }
}

TEST_CASE("every block of the binomial tree has one head, the root or the lowest") {
  for (int p = 1; p <= 40; ++p)
    for (int root = 0; root < p; ++root)
      for (int k = 0; k <= ceil_log2(p); ++k)
        for (int lowest = 0; lowest < p; lowest += 1 << k) {
          const int end = std::min(lowest + (1 << k), p);
          const int expected = lowest <= root && root < end ? root : lowest;
          CAPTURE(p, root, k, lowest);
          for (int r = lowest; r < end; ++r) REQUIRE(binomial_tree::head(r, k, root) == expected);
        }
}

TEST_CASE("siblings of the binomial tree are heads of neighbouring blocks, and of each other") {
  for (int p = 1; p <= 40; ++p)
    for (int root = 0; root < p; ++root)
      for (int k = 0; k < ceil_log2(p); ++k)
        for (int r = 0; r < p; ++r) {
          if (binomial_tree::head(r, k, root) != r) continue;
          const int other = binomial_tree::sibling(r, k, p, root);
          CAPTURE(p, root, k, r, other);
          if (other == none) {
            REQUIRE(((r >> k) + 1) << k >= p);  // the neighbour would lie behind the last rank
          } else {
            REQUIRE((other >> k) == (r >> k ^ 1));
            REQUIRE(binomial_tree::sibling(other, k, p, root) == r);
          }
        }
}

TEST_CASE("the largest number of children in the binomial tree") {
  for (int p = 1; p <= 40; ++p)
    for (int root = 0; root < p; ++root) {
      int most = 0;
      for (int r = 0; r < p; ++r) {
        int children = 0;
        for (int k = 0; k < ceil_log2(p) && binomial_tree::head(r, k, root) == r; ++k) {
          if (binomial_tree::head(r, k + 1, root) != r) break;  // r's own parent is at this level
          children += binomial_tree::sibling(r, k, p, root) != none;
        }
        most = std::max(most, children);
      }
      CAPTURE(p, root);
      REQUIRE(binomial_tree::max_children(p, root) == most);
    }
}
