// SPDX-License-Identifier: MIT
// Whole calls between processes, from the program's to the messages and back.
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "config/report/report.hpp"
#include "config/table/choice.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/communicator.hpp"
#include "test/unit/shim/fake_mpi.hpp"

// The entry points of the shim, as a program with handles as wide as a register sees them.
extern "C" {
int MPI_Scan(const void* send, void* recv, int count, std::uintptr_t type, std::uintptr_t op, std::uintptr_t comm);
int MPI_Reduce(const void* send, void* recv, int count, std::uintptr_t type, std::uintptr_t op, int root,
               std::uintptr_t comm);
int MPI_Bcast(void* buffer, int count, std::uintptr_t type, int root, std::uintptr_t comm);
}

using namespace mpigraft;
using test::on_ranks;

namespace {

using Values = std::array<std::int64_t, 3>;

void force(Collective collective, const char* words) {
  base::settings().force[static_cast<std::size_t>(collective)] = table::resolve_choice(collective, words).choice;
}

Values scan(const Values& mine, abi::Comm comm, abi::Op op, int& error) {
  Values result{};
  error = MPI_Scan(mine.data(), result.data(), 3, abi::to_pass(abi::type_int64), abi::to_pass(op), abi::to_pass(comm));
  return result;
}

/// A communicator after its native first calls: the ranks agree in the next one.
abi::Comm agreed_comm() {
  const abi::Comm comm = test::new_comm();
  for (int i = 0; i < table::native_first_calls; ++i)
    MPI_Bcast(nullptr, 0, abi::to_pass(abi::type_byte), 0, abi::to_pass(comm));
  return comm;
}

struct Outcome {
  Values values{};
  int error = 0, natives = 0, messages = 0, raised = 0;
};

Outcome outcome(const Values& values, int error) {
  return {values, error, test::asked().natives, test::asked().messages, test::asked().raised};
}

Values of_rank(int rank) { return {rank + 1, 10 * (rank + 1), 100 * (rank + 1)}; }

}  // namespace

TEST_CASE("a scan between processes, by messages and through shared memory") {
  const bool shared = GENERATE(false, true);
  const auto all = on_ranks(4, [=](int rank) {
    base::settings().shared = shared;
    force(Collective::scan, "simultaneous_binomial");
    int error = 0;
    const Values result = scan(of_rank(rank), agreed_comm(), abi::op_sum, error);
    return outcome(result, error);
  });
  REQUIRE(all.size() == 4);
  for (int rank = 0; rank < 4; ++rank) {
    const Outcome& here = all[static_cast<std::size_t>(rank)];
    const std::int64_t sum = (rank + 1) * (rank + 2) / 2;
    CHECK(here.error == abi::success);
    CHECK(here.values == Values{sum, 10 * sum, 100 * sum});
    CHECK(here.natives == table::native_first_calls);
  }
  CHECK((all[0].messages == 0) == shared);  // the first rank of a scan sends
}

TEST_CASE("call after call, by algorithms that take turns") {
  const auto all = on_ranks(3, [](int rank) {
    force(Collective::scan, "shared_flat");
    force(Collective::reduce, "binomial");
    force(Collective::bcast, "circulant");
    const abi::Comm comm = agreed_comm();
    int right = 0;
    for (int i = 0; i < 100; ++i) {
      int error = 0;
      Values sums = scan(of_rank(rank), comm, abi::op_sum, error), first{};
      right += error == abi::success && sums[0] == (rank + 1) * (rank + 2) / 2;
      MPI_Reduce(sums.data(), first.data(), 3, abi::to_pass(abi::type_int64), abi::to_pass(test::op_first), i % 3,
                 abi::to_pass(comm));
      MPI_Bcast(first.data(), 3, abi::to_pass(abi::type_int64), i % 3, abi::to_pass(comm));
      right += first == Values{1, 10, 100};  // the operator keeps what is of rank 0
    }
    return right;
  });
  CHECK(all == std::vector(3, 200));
}

TEST_CASE("an operator that fails on some ranks is an error on all that depend on them") {
  const auto all = on_ranks(3, [](int rank) {
    base::settings().shared = false;
    force(Collective::scan, "linear_pipeline");
    int error = 0;
    const Values result = scan(of_rank(rank), agreed_comm(), abi::op_min, error);  // the fake MPI does not apply it
    return outcome(result, error);
  });
  REQUIRE(all.size() == 3);
  CHECK(all[0].error == abi::success);
  for (const int rank : {1, 2}) {
    CHECK(all[static_cast<std::size_t>(rank)].error == abi::err_other);
    CHECK(all[static_cast<std::size_t>(rank)].raised == abi::err_other);
  }
}

TEST_CASE("strict: what cannot run as asked is an error on all ranks") {
  const auto all = on_ranks(2, [](int rank) {
    base::settings().strict = rank == 1;
    force(Collective::reduce, "circulant");
    Values mine = of_rank(rank), result{};
    const abi::Comm comm = agreed_comm();
    return MPI_Reduce(mine.data(), result.data(), 3, abi::to_pass(abi::type_int64), abi::to_pass(test::op_first), 0,
                      abi::to_pass(comm));
  });
  CHECK(all == std::vector(2, abi::err_other));
}

TEST_CASE("what one communicator has remembered is none of its successor's") {
  const auto all = on_ranks(2, [](int rank) {
    force(Collective::scan, "binomial");
    int error = 0;
    const abi::Comm first = agreed_comm();
    scan(of_rank(rank), first, abi::op_sum, error);
    const std::uint64_t before = entry::generation;
    test::free_comm(first);
    const int natives = test::asked().natives;
    scan(of_rank(rank), test::new_comm(), abi::op_sum, error);
    return std::array{entry::generation > before, test::asked().natives == natives + 1};
  });
  CHECK(all == std::vector(2, std::array{true, true}));
}

TEST_CASE("the job's report has the calls of all ranks") {
  const std::string name = "/tmp/mpigraft-unit-" + std::to_string(getpid()) + ".json";
  const auto all = on_ranks(3, [&](int rank) {
    base::settings().report = name;
    base::settings().shared = false;
    force(Collective::scan, "binomial");
    int error = 0;
    scan(of_rank(rank), abi::comm_world, abi::op_sum, error);
    scan(of_rank(rank), abi::comm_world, abi::op_sum, error);
    scan(of_rank(rank), agreed_comm(), abi::op_sum, error);
    test::finalize();
    return error;
  });
  CHECK(all == std::vector(3, abi::success));
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  std::remove(name.c_str());
  const report::ParsedReport parsed = report::parse_report(text.str());
  REQUIRE(parsed.problem.empty());
  CHECK(parsed.report.ranks == 3);
  CHECK(parsed.report.reporting == 3);
  CHECK(parsed.report.grafted == 3);
  std::int64_t grafted = 0, young = 0;
  for (const report::ReportRow& row : parsed.report.rows) (row.ran == "native" ? young : grafted) += row.calls;
  CHECK(grafted == 3);
  CHECK(young == table::native_first_calls);
}
