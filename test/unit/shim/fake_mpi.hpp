// SPDX-License-Identifier: MIT
// An MPI of forked processes in place of a real one: the shim is linked to it instead of a translation. Messages and
// collectives go through memory that the processes share. Communicators have all ranks, or one.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::test {

inline constexpr int most_ranks = 8;
inline constexpr std::size_t longest_result = 1024;

/// The requests of the shim to MPI in this process.
struct Asked {
  int natives = 0;      // collectives of the program that stayed native
  int collectives = 0;  // for the shim's own sake
  int messages = 0;
  int raised = 0;                      // the last error
  std::function<void()> look = [] {};  // runs whenever MPI's progress is driven
};
Asked& asked();

extern const abi::Type type_triple;  // a derived one: three int64
extern const abi::Op op_first;       // the program's, and not commutative
extern const abi::Comm comm_inter;   // an intercommunicator

/// Runs whenever an operator is applied, where it is set.
std::function<void()>& within_operator();

/// A communicator of the program, of all ranks. Collective.
abi::Comm new_comm();
void free_comm(abi::Comm comm);
/// MPI_Finalize as the shim sees it.
void finalize();

/// Runs `rank_main` in a process for each rank, which leaves its result at the address that it is given. False if one
/// fails, or takes too long.
bool run_ranks(int size, std::size_t bytes, const std::function<void(int rank, void* result)>& rank_main,
               void* results);

/// The results of `rank_main(rank)` on all ranks; none if a rank fails.
template <class F>
auto on_ranks(int size, F rank_main) {
  using Result = decltype(rank_main(0));
  static_assert(std::is_trivially_copyable_v<Result> && sizeof(Result) <= longest_result);
  std::vector<Result> results(static_cast<std::size_t>(size));
  const auto store = [&](int rank, void* place) {
    const Result result = rank_main(rank);
    std::memcpy(place, &result, sizeof result);
  };
  if (!run_ranks(size, sizeof(Result), store, results.data())) results.clear();
  return results;
}

}  // namespace mpigraft::test
