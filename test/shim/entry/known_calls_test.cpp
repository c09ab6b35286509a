// SPDX-License-Identifier: MIT
#include "shim/entry/known_calls.hpp"

#include <catch2/catch.hpp>

namespace mpigraft {

const void* const abi::in_place = nullptr;  // of MPI, which is not here

namespace entry {
namespace {

abi::RawCall call_of(std::int64_t count, Collective collective = Collective::scan) {
  return {.collective = collective, .large = false, .count = count, .raw_type = 1, .raw_op = 2, .comm = 3};
}

void keep(KnownCalls& calls, const abi::RawCall& raw) {
  calls.latest.collective = raw.collective, calls.latest.kind = {raw, 2};
  REQUIRE(calls.keep(raw));
}

void keep_lengths(KnownCalls& calls, int first, int n, int step = 1) {
  for (int i = 0; i < n; ++i) keep(calls, call_of(first + i * step));
}

int known_lengths(KnownCalls& calls, int first, int n, int step = 1) {
  int known = 0;
  for (int i = 0; i < n; ++i) known += calls.find(call_of(first + i * step)) != nullptr;
  return known;
}

TEST_CASE("a kind of call is known as what it was") {
  KnownCalls calls(2);
  CHECK_FALSE(calls.find(call_of(1)));
  keep_lengths(calls, 1, 16);
  for (int n = 1; n <= 16; ++n) {
    KnownCall* const known = calls.find(call_of(n));
    REQUIRE(known);
    CHECK(known->is_of(call_of(n)));
    CHECK_FALSE(known->is_of(call_of(n + 1)));
    CHECK_FALSE(known->is_of(call_of(n, Collective::exscan)));
  }
}

TEST_CASE("many lengths are known at once, at whatever distance") {
  for (const int step : {1, 3, 4, 8, 100, 1024, 4096}) {
    KnownCalls calls(2);
    keep_lengths(calls, 1, 600, step);
    CHECK(known_lengths(calls, 1, 600, step) == 600);
  }
}

TEST_CASE("what was used long ago gives way") {
  KnownCalls calls(2);
  keep_lengths(calls, 1, 100'000);
  CHECK(known_lengths(calls, 1, 100'000) <= 1024);
  CHECK(known_lengths(calls, 99'401, 600) == 600);
  keep(calls, call_of(1));
  for (int i = 0; i < 1000; ++i) {  // one that is used again and again stays
    keep_lengths(calls, 200'000 + i * 100, 100);
    REQUIRE(calls.find(call_of(1)));
  }
}

TEST_CASE("a place may come to be another kind's, and no place is lost") {
  KnownCalls calls(2);
  keep(calls, call_of(1));
  KnownCall* const first = calls.find(call_of(1));
  keep_lengths(calls, 2, 10'000);
  CHECK_FALSE(first->is_of(call_of(1)));
  const int known = known_lengths(calls, 2, 10'000);
  calls.find(call_of(10'001))->forget();
  CHECK_FALSE(calls.find(call_of(10'001)));
  keep(calls, call_of(10'001));
  CHECK(known_lengths(calls, 2, 10'000) == known);
  calls.forget_all();
  CHECK(known_lengths(calls, 1, 10'001) == 0);
  keep_lengths(calls, 1, 600);
  CHECK(known_lengths(calls, 1, 600) == 600);
}

}  // namespace
}  // namespace entry
}  // namespace mpigraft
