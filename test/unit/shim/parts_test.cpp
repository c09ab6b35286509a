// SPDX-License-Identifier: MIT
// Whole calls of collectives with a part for each rank, between processes.
#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "config/table/choice.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/communicator.hpp"
#include "test/unit/shim/fake_mpi.hpp"

// The entry points of the shim, as a program with handles as wide as a register sees them.
extern "C" {
int MPI_Reduce_scatter(const void* send, void* recv, const int* counts, std::uintptr_t type, std::uintptr_t op,
                       std::uintptr_t comm);
int MPI_Reduce_scatter_block(const void* send, void* recv, int count, std::uintptr_t type, std::uintptr_t op,
                             std::uintptr_t comm);
int MPI_Allgather(const void* send, int send_count, std::uintptr_t send_type, void* recv, int count,
                  std::uintptr_t type, std::uintptr_t comm);
int MPI_Allgatherv(const void* send, int send_count, std::uintptr_t send_type, void* recv, const int* counts,
                   const int* displs, std::uintptr_t type, std::uintptr_t comm);
int MPI_Allgatherv_c(const void* send, std::int64_t send_count, std::uintptr_t send_type, void* recv,
                     const std::int64_t* counts, const std::int64_t* displs, std::uintptr_t type, std::uintptr_t comm);
int MPI_Barrier(std::uintptr_t comm);
}

using namespace mpigraft;
using test::on_ranks;

namespace {

constexpr int ranks = 4;
constexpr std::array<int, ranks> lengths{3, 0, 5, 1}, firsts{0, 3, 3, 8}, backwards{9, 9, 2, 0};
constexpr std::size_t total = 9;
constexpr std::int64_t untouched = -77;

using Values = std::array<std::int64_t, 12>;  // more than any vector here has

const std::uintptr_t int64 = abi::to_pass(abi::type_int64), triple = abi::to_pass(test::type_triple),
                     sum = abi::to_pass(abi::op_sum), no_type = abi::to_pass(abi::Type::null);

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

/// The outcomes of `call(rank, comm, result)`, without and with shared memory.
template <class F>
std::vector<Outcome> outcomes(bool shared, const char* reduce_scatter, const char* allgather, F call) {
  return on_ranks(ranks, [&](int rank) {
    base::settings().shared = shared;
    force(Collective::reduce_scatter, reduce_scatter);
    force(Collective::allgather, allgather);
    Outcome outcome{empty(), abi::success, 0};
    const std::uintptr_t comm = agreed_comm();
    outcome.error = call(rank, comm, outcome.values);
    outcome.natives = test::asked().natives - table::native_first_calls;
    return outcome;
  });
}

/// Checks that the result of a reduce-scatter is `count` sums from element `first` on, and that `behind` is behind
/// them.
void check_sums(const Outcome& outcome, std::size_t first, std::size_t count, const Values& behind) {
  CHECK(outcome.error == abi::success);
  CHECK(outcome.natives == 0);
  Values expected = behind;
  for (std::size_t i = 0; i < count; ++i) expected[i] = sum_at(first + i);
  CHECK(outcome.values == expected);
}

}  // namespace

TEST_CASE("a sum is scattered in parts") {
  const bool shared = GENERATE(false, true), in_place = GENERATE(false, true), equal = GENERATE(false, true);
  const char* const algorithm = GENERATE("pairwise", "recursive_halving");
  const auto all = outcomes(shared, algorithm, "ring", [=](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    if (in_place) result = mine;
    const void* const send = in_place ? abi::in_place : mine.data();
    return equal ? MPI_Reduce_scatter_block(send, result.data(), 2, int64, sum, comm)
                 : MPI_Reduce_scatter(send, result.data(), lengths.data(), int64, sum, comm);
  });
  REQUIRE(all.size() == ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    CAPTURE(rank, shared, in_place, equal, algorithm);
    const auto r = static_cast<std::size_t>(rank);
    const Values behind = in_place ? values_of(rank) : empty();
    check_sums(all[r], equal ? 2 * r : static_cast<std::size_t>(firsts[r]),
               static_cast<std::size_t>(equal ? 2 : lengths[r]), behind);
  }
}

TEST_CASE("parts are gathered") {
  struct Way {
    const char* what;
    std::array<int, ranks> counts, places;  // of int64
    std::function<int(const void* send, int count, Values& result, std::uintptr_t comm)> call;
  };
  static const std::array<int, ranks> two{2, 2, 2, 2}, threes{3, 0, 6, 3}, in_threes{0, 3, 3, 9};
  static const std::array<int, ranks> one_by_one{1, 0, 2, 1}, one_after_other{0, 1, 1, 3};
  static const Way ways[] = {
      {"alike",
       two,
       {0, 2, 4, 6},
       [](const void* send, int, Values& result, std::uintptr_t comm) {
         return MPI_Allgather(send, 2, send == abi::in_place ? no_type : int64, result.data(), 2, int64, comm);
       }},
      {"in a row", lengths, firsts,
       [](const void* send, int n, Values& result, std::uintptr_t comm) {
         return MPI_Allgatherv(send, n, int64, result.data(), lengths.data(), firsts.data(), int64, comm);
       }},
      {"backwards", lengths, backwards,
       [](const void* send, int n, Values& result, std::uintptr_t comm) {
         const std::array<std::int64_t, ranks> counts{3, 0, 5, 1}, places{9, 9, 2, 0};
         return MPI_Allgatherv_c(send, n, int64, result.data(), counts.data(), places.data(), int64, comm);
       }},
      {"of a type that has to be packed", threes, in_threes,
       [](const void* send, int n, Values& result, std::uintptr_t comm) {
         return MPI_Allgatherv(send, n, int64, result.data(), one_by_one.data(), one_after_other.data(), triple, comm);
       }},
  };
  const bool shared = GENERATE(false, true), in_place = GENERATE(false, true);
  const char* const algorithm = GENERATE("ring", "bruck");
  for (const Way& way : ways) {
    const auto all = outcomes(shared, "pairwise", algorithm, [&](int rank, std::uintptr_t comm, Values& result) {
      const auto r = static_cast<std::size_t>(rank);
      const Values mine = values_of(rank);
      if (in_place) std::copy_n(mine.begin(), way.counts[r], result.begin() + way.places[r]);
      return way.call(in_place ? abi::in_place : mine.data(), way.counts[r], result, comm);
    });
    REQUIRE(all.size() == ranks);
    Values expected = empty();
    for (int rank = 0; rank < ranks; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      std::copy_n(values_of(rank).begin(), way.counts[r], expected.begin() + way.places[r]);
    }
    for (const Outcome& outcome : all) {
      CAPTURE(way.what, shared, in_place, algorithm);
      CHECK(outcome.error == abi::success);
      CHECK(outcome.natives == 0);
      CHECK(outcome.values == expected);
    }
  }
}

TEST_CASE("another content of the same array of counts is another call") {
  const auto all = outcomes(true, "pairwise", "ring", [](int rank, std::uintptr_t comm, Values& result) {
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
  check_sums(all[0], 0, 1, empty());
  check_sums(all[1], 1, 3, empty());
  check_sums(all[2], 4, 0, empty());
  check_sums(all[3], 4, 5, empty());
}

TEST_CASE("no array of counts is another call") {
  const auto all = outcomes(true, "pairwise", "ring", [](int rank, std::uintptr_t comm, Values& result) {
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
  const auto all = outcomes(true, "pairwise", "ring", [](int rank, std::uintptr_t comm, Values& result) {
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
  const auto all = outcomes(true, "pairwise", "ring", [](int rank, std::uintptr_t comm, Values& result) {
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
  const auto all = outcomes(false, "pairwise", "ring", [](int rank, std::uintptr_t comm, Values& result) {
    const Values mine = values_of(rank);
    return MPI_Allgather(mine.data(), rank == 2 ? 3 : 2, int64, result.data(), 2, int64, comm);
  });
  REQUIRE(all.size() == ranks);
  for (const Outcome& outcome : all) CHECK(outcome.error == abi::err_truncate);
}
