// SPDX-License-Identifier: MIT
#include "shim/execute/scratch.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>

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

TEST_CASE("two operations in flight have memory of their own each") {
  Scratch scratch;
  std::optional<Scratch::Lease> a, b;
  char *first = nullptr, *second = nullptr;
  {
    const Scratch::Lease one = scratch.lease(1000, large), two = scratch.lease(2000, large);
    first = one.memory(), second = two.memory();
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK((first + 1000 <= second || second + 2000 <= first));
    for (int i = 0; i < 1000; ++i) first[i] = 1;
    for (int i = 0; i < 2000; ++i) second[i] = 2;
    CHECK(first[999] == 1);
    CHECK(second[1999] == 2);
  }
  CHECK(scratch.lease(2000, large).memory() == second);  // the larger is kept
}

TEST_CASE("a lease of nothing takes no memory, and is not null") {
  Scratch scratch;
  char* const kept = scratch.lease(100, large).memory();
  const Scratch::Lease nothing = scratch.lease(0, large);
  CHECK(nothing.memory() != nullptr);
  CHECK(scratch.lease(100, large).memory() == kept);
}

TEST_CASE("leases end in any order") {
  Scratch scratch;
  auto* one = new Scratch::Lease(scratch.lease(1 << 16, large));
  auto* two = new Scratch::Lease(scratch.lease(1 << 10, large));
  char* const larger = one->memory();
  delete one;
  {
    const Scratch::Lease three = scratch.lease(1 << 12, large);
    CHECK(three.memory() == larger);
    CHECK(three.memory() != two->memory());
  }
  delete two;
  CHECK(scratch.lease(1 << 16, large).memory() == larger);
}
