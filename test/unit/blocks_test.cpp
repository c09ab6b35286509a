// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "algorithms/patterns/blocks.hpp"

using namespace mpigraft;

namespace {

constexpr Pipeline chain_of_10{9, 1};

Params with(std::int64_t segment, std::int64_t largest) { return {.segment = segment, .largest_block = largest}; }

}  // namespace

TEST_CASE("blocks cover a vector, and their lengths differ by at most one") {
  for (std::int64_t m = 0; m <= 40; ++m)
    for (std::int64_t b = 1; b <= 50; ++b) {
      const Blocks blocks{m, b};
      std::int64_t next = 0;
      for (std::int64_t i = 0; i < b; ++i) {
        CAPTURE(m, b, i);
        REQUIRE(blocks.first(i) == next);
        REQUIRE((blocks.count(i) == m / b || blocks.count(i) == m / b + 1));
        next += blocks.count(i);
      }
      REQUIRE(next == m);
    }
}

TEST_CASE("the number of blocks balances latency and transfer") {
  Params params;
  params.machine = {.latency = 1e-6, .per_byte = 1e-9, .combine_per_byte = 3e-9};
  REQUIRE(block_count(100000, params, chain_of_10, false) == 80);  // sqrt(8 * 800 us / 1 us)
  REQUIRE(block_count(100000, params, chain_of_10, true) == 160);
  REQUIRE(block_count(1, params, chain_of_10, false) == 1);
  REQUIRE(block_count(5, {.machine = {.latency = 1e-12}}, chain_of_10, false) == 5);  // no more than elements
}

TEST_CASE("blocks of the formula are no longer than the largest, those of a segment are as asked") {
  constexpr Pipeline two_ranks{1, 1};  // without a limit one block is best
  REQUIRE(block_count(1 << 20, with(0, 0), two_ranks, true) == 1);
  REQUIRE(block_count(1 << 20, with(0, 64 << 10), two_ranks, true) == 128);
  REQUIRE(block_count((1 << 20) + 1, with(0, 64 << 10), two_ranks, true) == 129);
  REQUIRE(block_count(100, with(0, 64 << 10), two_ranks, true) == 1);
  REQUIRE(block_count(1 << 20, with(1 << 20, 64 << 10), two_ranks, true) == 8);
  const std::int64_t many = block_count(1 << 20, with(0, 0), chain_of_10, true);
  REQUIRE(block_count(1 << 20, with(0, 8 << 20), chain_of_10, true) == many);  // shorter anyway
}
