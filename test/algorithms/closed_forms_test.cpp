// SPDX-License-Identifier: MIT
// The papers' figures, computed here once more and independently of what the algorithms state about themselves.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "algorithms/exscan/by_pattern.hpp"
#include "algorithms/model/price.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using model::Cost;

namespace {

constexpr int most_ranks = 520;

/// Smallest q with 2^q >= x.
int log2_up(int x) {
  int q = 0;
  for (long power = 1; power < x; power *= 2) ++q;
  return q;
}

Cost measure(std::string_view name, int p) { return model::cost_of(model::record(proof::named(name), p, 1)); }

}  // namespace

TEST_CASE("rounds and applications of the exclusive scans") {
  for (int p = 3; p <= most_ranks; ++p) {
    CAPTURE(p);
    const Cost one = measure("exscan/doubling_1", p), two = measure("exscan/doubling_two_op", p),
               three = measure("exscan/doubling_123", p), optimal = measure("exscan/round_optimal", p);
    int q = 2;
    while (3 * (1 << (q - 2)) < p - 1) ++q;
    CHECK(three.rounds == q);
    CHECK(three.applications_last == q - 1);
    CHECK(one.rounds == 1 + log2_up(p - 1));
    CHECK(one.applications_last == log2_up(p - 1));
    CHECK(two.rounds == log2_up(p));
    CHECK(two.applications_last == log2_up(p) - 1);
    CHECK(optimal.rounds == log2_up(p));
    CHECK(optimal.applications_last == log2_up(p) - 1);
  }
}

TEST_CASE("a broadcast along two trees in blocks takes one round a block, and those to fill the trees") {
  for (int p = 2; p <= most_ranks; ++p) {
    CAPTURE(p);
    const int relay = p % 2 == 0, members = p - 1 - relay;
    const model::Recording recording =
        model::record(proof::named("bcast/two_tree"), p, 2, {.element_bytes = proof::small, .segment = proof::small});
    CHECK(model::cost_of(recording).rounds == 2 * log2_up(p) + relay - (members % 4 == 0));
  }
}

TEST_CASE("the adaptive exclusive scan takes fewest rounds or fewest applications") {
  const auto takes = [](std::int64_t bytes, auto wanted, auto other) {
    for (int p = 1; p <= proof::all_sizes; ++p) {
      const auto taken = pattern_adaptive(p, 1, {.element_bytes = bytes}).bits;
      if (taken == wanted(p).bits && taken != other(p).bits) return true;
    }
    return false;
  };
  CHECK(takes(proof::small, pattern_round_optimal, pattern_1));
  CHECK(takes(proof::large, pattern_1, pattern_round_optimal));
}

TEST_CASE("123-doubling is round-optimal, or no shorter than 1-doubling, which combines less") {
  for (int p = 1; p <= 65536; ++p) {
    CAPTURE(p);
    REQUIRE((pattern_123(p).bits == pattern_round_optimal(p).bits || pattern_123(p).length >= pattern_1(p).length));
  }
}

TEST_CASE("the round-optimal pattern has the fewest applications, the adaptive one the least cost") {
  for (int p = 2; p <= 4096; ++p) {
    CAPTURE(p);
    const BitPattern optimal = pattern_round_optimal(p);
    int fewest = optimal.length;
    for (unsigned n = static_cast<unsigned>(p - 1); n < 1U << optimal.length; ++n)
      fewest = std::min(fewest, std::popcount(n));
    REQUIRE((optimal.length == log2_up(p) && optimal.ones() == fewest));
    for (const std::int64_t bytes : {0, 1000, 30000, 1000000})
      for (const BitPattern pattern : {pattern_1(p), pattern_two_op(p), pattern_123(p), optimal})
        REQUIRE(cost(pattern_adaptive(p, bytes, {.element_bytes = 1}), bytes, {}) <= cost(pattern, bytes, {}));
  }
}
