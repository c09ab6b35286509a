// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::abi {
namespace {

RawCall scan_of(std::int64_t count) {
  return {.collective = Collective::scan, .large = false, .count = count, .raw_type = 1, .raw_op = 2, .comm = 3};
}

RawCall gather_of(std::int64_t count, std::int64_t send_count, const int* counts) {
  return {.collective = Collective::allgather,
          .large = false,
          .equal = counts == nullptr,
          .send = "elements",
          .count = count,
          .raw_type = 1,
          .comm = 3,
          .send_count = send_count,
          .raw_send_type = 1,
          .counts = counts};
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
  const RawCall parts = gather_of(0, 3, counts), longer = gather_of(0, 5, more);
  CallKind kind(parts, 2);
  CHECK(kind.is_of(parts));
  CHECK_FALSE(kind.is_of(longer));
  kind.widen(1, 100);
  CHECK(kind.is_of(parts));
  CHECK(kind.is_of(longer));
  CHECK_FALSE(kind.is_of(gather_of(0, 3, negative)));
  CHECK_FALSE(kind.is_of(gather_of(7, 7, nullptr)));
}

TEST_CASE("parts of one length are of a kind by it, and by what is sent") {
  const RawCall gather = gather_of(7, 7, nullptr);
  RawCall in_place_gather = gather,
          scatter{.collective = Collective::reduce_scatter, .large = false, .equal = true, .send = "elements"};
  in_place_gather.send = in_place;
  CallKind kind(gather, 2), of_scatter(scatter, 2);
  CHECK(kind.is_of(gather));
  CHECK_FALSE(kind.is_of(gather_of(8, 8, nullptr)));
  kind.widen(1, 100), of_scatter.widen(0, 100);
  CHECK(kind.is_of(gather_of(8, 8, nullptr)));
  CHECK_FALSE(kind.is_of(gather_of(8, 7, nullptr)));
  CHECK_FALSE(kind.is_of(in_place_gather));
  scatter.count = 5;
  CHECK(of_scatter.is_of(scatter));
}

}  // namespace mpigraft::abi
