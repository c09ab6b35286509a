// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::abi {
namespace {

RawCall scan_of(std::int64_t count) {
  return {.collective = Collective::scan, .large = false, .count = count, .type = 1, .op = 2, .comm = 3};
}

RawCall gather_of(const RawParts& parts, std::int64_t count) {
  return {.collective = Collective::allgather, .large = false, .count = count, .type = 1, .comm = 3, .parts = &parts};
}

}  // namespace

TEST_CASE("a kind of call is of one length, or of a range of them") {
  CallKind kind(scan_of(7), 2);
  CHECK(kind.is_of(scan_of(7)));
  for (const std::int64_t other : {6, 8, -1}) CHECK_FALSE(kind.is_of(scan_of(other)));
  kind.widen(5, 9);
  for (const std::int64_t inside : {5, 7, 9}) CHECK(kind.is_of(scan_of(inside)));
  for (const std::int64_t outside : {-1, 0, 4, 10}) CHECK_FALSE(kind.is_of(scan_of(outside)));
  kind.widen(5, INT64_MAX);
  for (const std::int64_t outside : {INT64_MIN, INT64_C(-1), INT64_C(4)}) CHECK_FALSE(kind.is_of(scan_of(outside)));
  CHECK(kind.is_of(scan_of(INT64_MAX)));
}

TEST_CASE("parts of several lengths are of a kind by their sum, whatever is sent") {
  const int counts[] = {3, 4}, more[] = {5, 6}, negative[] = {-1, 9};
  const RawParts parts{.send_count = 3, .send_type = 1, .counts = counts};
  const RawParts longer{.send_count = 5, .send_type = 1, .counts = more};
  const RawParts wrong{.send_count = 3, .send_type = 1, .counts = negative};
  const RawParts even{.send_count = 7, .send_type = 1};
  CallKind kind(gather_of(parts, 0), 2);
  CHECK(kind.is_of(gather_of(parts, 0)));
  CHECK_FALSE(kind.is_of(gather_of(longer, 0)));
  kind.widen(1, 100);
  CHECK(kind.is_of(gather_of(parts, 0)));
  CHECK(kind.is_of(gather_of(longer, 0)));
  CHECK_FALSE(kind.is_of(gather_of(wrong, 0)));
  CHECK_FALSE(kind.is_of(gather_of(even, 7)));
}

}  // namespace mpigraft::abi
