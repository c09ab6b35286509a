// SPDX-License-Identifier: MIT
// Nonblocking calls: when they are grafted.
#include "shim/entry/nonblocking.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "shim/base/process.hpp"
#include "shim/entry/intercept.hpp"
#include "shim/wait/backoff.hpp"
#include "test/unit/shim/fake_mpi.hpp"

using namespace mpigraft;
using test::on_ranks;

namespace {

constexpr int ranks = 3;

using Values = std::array<std::int64_t, 500>;

Values values_of(int rank) {
  Values values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000 * (rank + 1) + static_cast<std::int64_t>(i);
  return values;
}

bool begin(const abi::RawCall& call, abi::Request& request) {
  int error = abi::success;
  return entry::graft_nonblocking(call, false, &request, error) && error == abi::success;
}

bool begin_sum(const Values& mine, Values& sum, abi::Comm comm, abi::Request& request) {
  return begin({Collective::allreduce, false, false, mine.data(), sum.data(), std::ssize(mine),
                abi::to_pass(abi::type_int64), abi::to_pass(abi::op_sum), 0, abi::to_pass(comm)},
               request);
}
/// Makes a blocking call, after which nonblocking ones are grafted.
void sum_up(const Values& mine, Values& sum, abi::Comm comm) {
  entry::intercepted({Collective::allreduce, false, false, mine.data(), sum.data(), 500, abi::to_pass(abi::type_int64),
                      abi::to_pass(abi::op_sum), 0, abi::to_pass(comm)},
                     nullptr);
}

Values total() {
  Values sum{};
  for (int r = 0; r < ranks; ++r)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values_of(r)[i];
  return sum;
}

}  // namespace

TEST_CASE("calls go to MPI until ranks have met in a blocking one") {
  const auto all = on_ranks(ranks, [](int rank) {
    wait::seen_polls = true;
    const Values mine = values_of(rank);
    Values sum{};
    abi::Request request = abi::Request::null;
    if (begin_sum(mine, sum, abi::comm_world, request)) return 0;
    sum_up(mine, sum, abi::comm_world);
    if (!begin_sum(mine, sum, abi::comm_world, request)) return 0;
    while (wait::has_jobs()) wait::carry_on();
    return sum == total() ? 1 : 0;
  });
  CHECK(all == std::vector(ranks, 1));
}

TEST_CASE("a call that could have been grafted has the next blocking one prepare for others, whatever that is") {
  const auto all = on_ranks(ranks, [](int rank) {
    wait::seen_polls = true;
    const Values mine = values_of(rank);
    Values sum{};
    abi::Request request = abi::Request::null;
    const auto barrier = [] {
      entry::intercepted(
          {Collective::barrier, false, false, nullptr, nullptr, 0, 0, 0, 0, abi::to_pass(abi::comm_world)}, nullptr);
    };
    base::settings().force[static_cast<std::size_t>(Collective::barrier)] = table::Choice{};  // native
    barrier();
    if (begin_sum(mine, sum, abi::comm_world, request)) return 0;
    barrier();
    if (!begin_sum(mine, sum, abi::comm_world, request)) return 0;
    while (wait::has_jobs()) wait::carry_on();
    return sum == total() ? 1 : 0;
  });
  CHECK(all == std::vector(ranks, 1));
}
