// SPDX-License-Identifier: MIT
// Whole calls between processes that must end in an error on all ranks which depend on the fault.
#include <array>
#include <catch2/catch.hpp>

#include "config/table/choice.hpp"
#include "shim/base/process.hpp"
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

/// A communicator after its native first calls: the ranks agree in the next one.
abi::Comm agreed_comm() {
  const abi::Comm comm = test::new_comm();
  for (int i = 0; i < table::native_first_calls; ++i)
    MPI_Bcast(nullptr, 0, abi::to_pass(abi::type_byte), 0, abi::to_pass(comm));
  return comm;
}

Values of_rank(int rank) { return {rank + 1, 10 * (rank + 1), 100 * (rank + 1)}; }

}  // namespace

TEST_CASE("an operator that fails on some ranks is an error on all that depend on them") {
  const auto all = on_ranks(3, [](int rank) {
    base::settings().shared = false;
    force(Collective::scan, "linear_pipeline");
    const Values mine = of_rank(rank);
    Values result{};
    const int error = MPI_Scan(mine.data(), result.data(), 3, abi::to_pass(abi::type_int64), abi::to_pass(abi::op_min),
                               abi::to_pass(agreed_comm()));  // the fake MPI does not apply it
    return std::array{error, test::asked().raised};
  });
  REQUIRE(all.size() == 3);
  CHECK(all[0] == std::array{abi::success, 0});
  for (const std::size_t rank : {1, 2}) CHECK(all[rank] == std::array{abi::err_other, abi::err_other});
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
