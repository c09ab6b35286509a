// SPDX-License-Identifier: MIT
// Two operations of one communicator in flight at once, which the ranks carry on in different orders.
#include <array>
#include <catch2/catch.hpp>

#include "config/table/choice.hpp"
#include "shim/agree/negotiation.hpp"
#include "shim/base/process.hpp"
#include "shim/operation/operation.hpp"
#include "test/unit/shim/fake_mpi.hpp"

using namespace mpigraft;
using abi::Call;
using operation::Operation;
using operation::Plan;
using operation::Traffic;
using test::on_ranks;

namespace {

using Values = std::array<std::int64_t, 2000>;  // more than a cell of shared memory takes

constexpr int ranks = 3;

Values values_of(int rank) {
  Values values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000 * (rank + 1) + static_cast<std::int64_t>(i);
  return values;
}

Call inspected(const abi::RawCall& raw, int rank) {
  Call call(raw);
  REQUIRE(abi::inspect(call, rank, ranks));
  return call;
}

Call scan_of(const Values& from, Values& into, int rank) {
  return inspected({.collective = Collective::scan,
                    .large = false,
                    .send = from.data(),
                    .recv = into.data(),
                    .count = static_cast<std::int64_t>(from.size()),
                    .type = abi::to_pass(abi::type_int64),
                    .op = abi::to_pass(test::op_first),
                    .root = 0,
                    .comm = abi::to_pass(abi::comm_world)},
                   rank);
}

Call bcast_of(Values& values, int rank) {
  return inspected({.collective = Collective::bcast,
                    .large = false,
                    .send = nullptr,
                    .recv = values.data(),
                    .count = static_cast<std::int64_t>(values.size()),
                    .type = abi::to_pass(abi::type_int64),
                    .op = 0,
                    .root = 0,
                    .comm = abi::to_pass(abi::comm_world)},
                   rank);
}

table::Choice along_ranks(Collective collective) { return table::resolve_choice(collective, "linear_pipeline").choice; }

}  // namespace

TEST_CASE("two operations of one communicator are in flight") {
  const bool shared = GENERATE(false, true);
  const auto all = on_ranks(ranks, [=](int rank) {
    base::settings().shared = shared;
    agree::Contact contact{.in_touch = true, .due = true};
    const agree::Negotiated agreed = agree::negotiate(abi::comm_world, contact, true);
    Traffic first, second;
    for (Traffic* traffic : {&first, &second})
      if (!traffic->ensure(agreed) || traffic->ensure_comm(agreed) != Traffic::Outcome::made) return -1;

    const Values mine = values_of(rank);
    Values prefix{}, message = rank == 0 ? values_of(7) : Values{};
    const Call scan = scan_of(mine, prefix, rank), bcast = bcast_of(message, rank);
    const Plan of_a(agreed, first, scan, along_ranks(Collective::scan));
    const Plan of_b(agreed, second, bcast, along_ranks(Collective::bcast));
    Operation a(agreed, first, scan, of_a), b(agreed, second, bcast, of_b);
    int error = abi::success, runs = 0;
    const auto run_b = [&] { error = runs++ == 0 ? b.run() : error; };
    if (rank == 0) run_b();                          // its neighbour waits for the scan all the while
    if (rank == 1) test::within_operator() = run_b;  // between a message from rank 0 and one to rank 2
    const int error_of_a = a.run();
    if (rank == 2) run_b();  // the broadcast came first
    return runs == 1 && error == abi::success && error_of_a == abi::success && prefix == values_of(0) &&
                   message == values_of(7)
               ? 1
               : 0;
  });
  CHECK(all == std::vector(ranks, 1));
}
