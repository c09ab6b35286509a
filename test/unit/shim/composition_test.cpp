// SPDX-License-Identifier: MIT
// Calls on the result of the one before, as rank 0 of 4 sees them.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "shim/abi/arguments.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/observe/composition.hpp"
#include "test/unit/shim/fake_mpi.hpp"

using namespace mpigraft;

namespace {

std::array<std::int64_t, 4> a, b, c;

abi::Call call(Collective collective, const void* send, void* recv, abi::Op op, int root = 0, std::int64_t count = 1) {
  const abi::RawCall raw{.collective = collective,
                         .large = false,
                         .send = send,
                         .recv = recv,
                         .count = count,
                         .type = abi::to_pass(abi::type_int64),
                         .op = abi::to_pass(op),
                         .root = root,
                         .comm = 0};
  abi::Call made(raw);
  made.bytes = 8 * count;
  return made;
}

std::string told(const abi::Call& first, const abi::Call& second) {
  observe::PreviousCall last;
  CHECK_FALSE(observe::follow(last, first, 4));
  const std::optional<report::ReportPair> pair = observe::follow(last, second, 4);
  if (!pair) return "nothing";
  return pair->first_operator + " " + pair->second_operator + " " + std::string(pair->one_call());
}

}  // namespace

TEST_CASE("a reduction whose result is brought to all ranks is an allreduce") {
  using enum Collective;
  const abi::Call sum = call(reduce, a.data(), b.data(), abi::op_sum);
  const auto to_all = [](void* buffer, int root = 0, std::int64_t count = 1) {
    return call(bcast, nullptr, buffer, abi::Op::null, root, count);
  };
  CHECK(told(sum, to_all(b.data())) == "sum  MPI_Allreduce");
  CHECK(told(sum, to_all(c.data())) == "nothing");
  CHECK(told(sum, to_all(b.data(), 1)) == "nothing");
  CHECK(told(sum, to_all(b.data(), 0, 2)) == "nothing");
  CHECK(told(call(reduce, a.data(), b.data(), abi::op_sum, 1), to_all(b.data(), 1)) == "nothing");
  CHECK(told(call(scan, a.data(), b.data(), abi::op_sum), to_all(b.data())) == "nothing");
  CHECK(told(call(reduce_scatter, a.data(), b.data(), abi::op_min),
             call(allgather, b.data(), c.data(), abi::Op::null)) == "min  MPI_Allreduce");
}

TEST_CASE("a scan, and a scan or a reduction of its result, are one call on pairs") {
  using enum Collective;
  const abi::Call sums = call(scan, a.data(), b.data(), abi::op_sum);
  CHECK(told(sums, call(reduce, b.data(), c.data(), abi::op_min)) == "sum min MPIGRAFT_Scan_reduce");
  CHECK(told(sums, call(allreduce, abi::in_place, b.data(), abi::op_min)) == "sum min MPIGRAFT_Scan_allreduce");
  CHECK(told(sums, call(scan, b.data(), c.data(), abi::op_sum)) == "nothing");
  CHECK(told(sums, call(exscan, b.data(), c.data(), abi::op_min)) == "nothing");
}
