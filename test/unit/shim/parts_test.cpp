// SPDX-License-Identifier: MIT
// Counts and types of parts that change, mean nothing, or are wrong.
#include <array>
#include <catch2/catch.hpp>

#include "config/table/choice.hpp"
#include "shim/base/process.hpp"
#include "test/unit/shim/fake_mpi.hpp"

// The entry points of the shim, as a program with handles as wide as a register sees them.
extern "C" {
int MPI_Reduce_scatter(const void* send, void* recv, const int* counts, std::uintptr_t type, std::uintptr_t op,
                       std::uintptr_t comm);
int MPI_Reduce_scatter_block(const void* send, void* recv, int count, std::uintptr_t type, std::uintptr_t op,
                             std::uintptr_t comm);
int MPI_Allgather(const void* send, int send_count, std::uintptr_t send_type, void* recv, int count,
                  std::uintptr_t type, std::uintptr_t comm);
int MPI_Barrier(std::uintptr_t comm);
}

using namespace mpigraft;
using test::on_ranks;

namespace {

constexpr int ranks = 4;
constexpr std::array<int, ranks> lengths{3, 0, 5, 1};
constexpr std::size_t total = 9;
constexpr std::int64_t untouched = -77;

using Values = std::array<std::int64_t, 12>;  // more than any vector here has

const std::uintptr_t int64 = abi::to_pass(abi::type_int64), sum = abi::to_pass(abi::op_sum),
                     no_type = abi::to_pass(abi::Type::null);

void force(Collective collective, const char* words) {
  base::settings().force[static_cast<std::size_t>(collective)] = table::resolve_choice(collective, words).choice;
}

/// A communicator after its native first calls: the ranks agree in the next one.
std::uintptr_t agreed_comm() {
  const std::uintptr_t comm = abi::to_pass(test::new_comm());
  for (int i = 0; i < table::native_first_calls; ++i) MPI_Barrier(comm);
  return comm;
}

Values empty() {
  Values values;
  values.fill(untouched);
  return values;
}

std::int64_t value(int rank, std::size_t i) { return 100 * rank + static_cast<std::int64_t>(i); }

Values values_of(int rank) {
  Values values = empty();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(rank, i);
  return values;
}

/// Element i of the sum over all ranks.
std::int64_t sum_at(std::size_t i) {
  std::int64_t sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += value(rank, i);
  return sum;
}

struct Outcome {
  Values values;
  int error, natives;
};

/// The outcomes of `call(rank, comm, result)`.
template <class F>
std::vector<Outcome> outcomes(bool shared, F call) {
  return on_ranks(ranks, [&](int rank) {
    base::settings().shared = shared;
    force(Collective::reduce_scatter, "pairwise");
    force(Collective::allgather, "ring");
    Outcome outcome{empty(), abi::success, 0};
    const std::uintptr_t comm = agreed_comm();
    outcome.error = call(rank, comm, outcome.values);
    outcome.natives = test::asked().natives - table::native_first_calls;
    return outcome;
  });
}

/// Checks that the result of a reduce-scatter is `count` sums from element `first` on.
void check_sums(const Outcome& outcome, std::size_t first, std::size_t count) {
  CHECK(outcome.error == abi::success);
  CHECK(outcome.natives == 0);
  Values expected = empty();
  for (std::size_t i = 0; i < count; ++i) expected[i] = sum_at(first + i);
  CHECK(outcome.values == expected);
}

}  // namespace

TEST_CASE("another content of the same array of counts is another call") {
  const auto all = outcomes(true, [](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    std::array<int, ranks> counts = lengths;
    int error = MPI_Reduce_scatter_block(mine.data(), result.data(), 3, int64, sum, comm);
    for (int i = 0; i < 3; ++i) {
      std::rotate(counts.begin(), counts.begin() + 1, counts.end());
      result = empty();
      error = error ? error : MPI_Reduce_scatter(mine.data(), result.data(), counts.data(), int64, sum, comm);
    }
    return error;
  });
  REQUIRE(all.size() == ranks);  // 1 3 0 5
  check_sums(all[0], 0, 1);
  check_sums(all[1], 1, 3);
  check_sums(all[2], 4, 0);
  check_sums(all[3], 4, 5);
}

TEST_CASE("no array of counts is another call") {
  const auto all = outcomes(true, [](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    const int error = MPI_Reduce_scatter(mine.data(), result.data(), lengths.data(), int64, sum, comm);
    result = empty();
    return error ? error : MPI_Reduce_scatter_block(mine.data(), result.data(), 0, int64, sum, comm);
  });
  REQUIRE(all.size() == ranks);
  for (const Outcome& outcome : all) {
    CHECK(outcome.error == abi::success);
    CHECK(outcome.natives == 1);
    CHECK(outcome.values == empty());
  }
}

TEST_CASE("in place the count and the type of the input may be anything") {
  const auto all = outcomes(true, [](int rank, std::uintptr_t comm, Values& result) {
    const auto r = static_cast<std::size_t>(rank);
    const Values mine = values_of(rank);
    for (int i = 0; i < 4; ++i) {
      result = empty();
      std::copy_n(mine.begin(), 2, result.begin() + 2 * rank);
      const int error = i % 2 == 0 ? MPI_Allgather(abi::in_place, -5, no_type, result.data(), 2, int64, comm)
                                   : MPI_Allgather(mine.data() + 4 * (r % 2), 2, int64, result.data(), 2, int64, comm);
      if (error != abi::success) return error;
    }
    return abi::success;
  });
  REQUIRE(all.size() == ranks);
  for (const Outcome& outcome : all) {
    CHECK(outcome.error == abi::success);
    CHECK(outcome.natives == 0);
    for (std::size_t i = 0; i < 8; ++i)
      CHECK(outcome.values[i] == value(static_cast<int>(i / 2), i % 2 + i / 2 % 2 * 4));
  }
}

TEST_CASE("counts that differ on ranks are an error, and nothing is written elsewhere") {
  const auto all = outcomes(true, [](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    const std::array<int, ranks> counts{3, 2, 3, 1}, others{2, 3, 3, 1};
    return MPI_Reduce_scatter(mine.data(), result.data(), (rank == 1 ? others : counts).data(), int64, sum, comm);
  });
  REQUIRE(all.size() == ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    CHECK(all[rank].error == abi::err_truncate);
    for (std::size_t i = 3; i < total; ++i) CHECK(all[rank].values[i] == untouched);
  }
}

TEST_CASE("an input that is longer than its part is an error") {
  const auto all = outcomes(false, [](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    return MPI_Allgather(mine.data(), rank == 2 ? 3 : 2, int64, result.data(), 2, int64, comm);
  });
  REQUIRE(all.size() == ranks);
  for (const Outcome& outcome : all) CHECK(outcome.error == abi::err_truncate);
}
