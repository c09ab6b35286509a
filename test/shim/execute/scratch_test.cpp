// SPDX-License-Identifier: MIT
#include "shim/execute/scratch.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>

using namespace mpigraft;
using namespace mpigraft::execute;

namespace {

constexpr std::size_t large = std::size_t{8} << 20;

}  // namespace

TEST_CASE("the next call has the memory of the last one") {
  Scratch scratch;
  char* const first = scratch.lease(1000, large).memory();
  REQUIRE(first != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
  CHECK(scratch.lease(10, large).memory() == first);
  CHECK(scratch.lease(1000, large).memory() == first);
}

TEST_CASE("a lease of nothing takes no memory, and is not null") {
  Scratch scratch;
  char* const kept = scratch.lease(100, large).memory();
  const Scratch::Lease nothing = scratch.lease(0, large);
  CHECK(nothing.memory() != nullptr);
  CHECK(scratch.lease(100, large).memory() == kept);
}

TEST_CASE("operations in flight have memory of their own each, which ends in any order; the larger is kept") {
  Scratch scratch;
  constexpr std::size_t longer = 1 << 16, shorter = 1 << 10;
  auto* one = new Scratch::Lease(scratch.lease(longer, large));
  auto* two = new Scratch::Lease(scratch.lease(shorter, large));
  char *const first = one->memory(), *const second = two->memory();
  REQUIRE(first != nullptr);
  REQUIRE(second != nullptr);
  CHECK((first + longer <= second || second + shorter <= first));
  std::memset(first, 1, longer);
  std::memset(second, 2, shorter);
  CHECK(first[longer - 1] == 1);
  delete one;
  {
    const Scratch::Lease three = scratch.lease(1 << 12, large);
    CHECK(three.memory() == first);
    CHECK(second[shorter - 1] == 2);
  }
  delete two;
  CHECK(scratch.lease(longer, large).memory() == first);
}
