// SPDX-License-Identifier: MIT
#include "shim/entry/known_calls.hpp"

#include <catch2/catch.hpp>

namespace mpigraft {

const void* const abi::in_place = nullptr;  // of MPI, which is not here

namespace entry {
namespace {

constexpr int kinds = 16;

abi::RawCall call_of(std::int64_t count, Collective collective = Collective::scan) {
  return {.collective = collective, .large = false, .count = count, .type = 1, .op = 2, .comm = 3};
}

void keep(KnownCalls& calls, const abi::RawCall& raw) {
  calls.latest.collective = raw.collective, calls.latest.kind = {raw, 2};
  REQUIRE(calls.keep());
}

TEST_CASE("the last kinds of calls are known, and each as what it was") {
  KnownCalls calls;
  CHECK_FALSE(calls.find(call_of(1)));
  for (int n = 1; n <= kinds; ++n) keep(calls, call_of(n));
  for (int n = 1; n <= kinds; ++n) {
    KnownCall* const known = calls.find(call_of(n));
    REQUIRE(known);
    CHECK(known->is_of(call_of(n)));
    CHECK_FALSE(known->is_of(call_of(n + 1)));
    CHECK_FALSE(known->is_of(call_of(n, Collective::exscan)));
  }
}

TEST_CASE("what was used longest ago gives way") {
  KnownCalls calls;
  for (int n = 1; n <= kinds; ++n) keep(calls, call_of(n));
  CHECK(calls.find(call_of(1)));
  keep(calls, call_of(kinds + 1));
  CHECK(calls.find(call_of(1)));
  CHECK_FALSE(calls.find(call_of(2)));
  CHECK(calls.find(call_of(3)));
}

TEST_CASE("a place may come to be another kind's, and no place is lost") {
  KnownCalls calls;
  keep(calls, call_of(1));
  KnownCall* const first = calls.find(call_of(1));
  for (int n = 2; n <= kinds + 1; ++n) keep(calls, call_of(n));
  CHECK_FALSE(first->is_of(call_of(1)));
  calls.forget(*calls.find(call_of(5)));
  CHECK_FALSE(calls.find(call_of(5)));
  CHECK(calls.find(call_of(kinds + 1)));
  keep(calls, call_of(5));
  for (int n = 2; n <= kinds + 1; ++n) CHECK(calls.find(call_of(n)));
  calls.forget_all();
  for (int n = 1; n <= kinds + 1; ++n) CHECK_FALSE(calls.find(call_of(n)));
}

}  // namespace
}  // namespace entry
}  // namespace mpigraft
