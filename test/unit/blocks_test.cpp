// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "algorithms/patterns/blocks.hpp"

using namespace mpigraft;

namespace {

constexpr Pipeline chain_of_10{9, 1};

Params with(std::int64_t segment, std::int64_t largest) { return {.segment = segment, .largest_block = largest}; }

}  // namespace

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
