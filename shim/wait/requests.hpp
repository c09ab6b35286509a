// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

/// As abi::test, in a wait that backs off by itself.
bool poll(abi::Request& request, abi::Status& status);

/// Waits for n requests. On an oversubscribed node it backs off. Every test drives MPI's progress, so a pending send of
/// the program moves on. Each status holds the error code of its request; the first error is returned. MPICH raises the
/// error of a request on MPI_COMM_WORLD, whatever its communicator, so requests must not fail.
int wait_all(int n, abi::Request* requests, abi::Status* statuses);

/// MPI's collectives for our own ends. They run in their blocking or in their nonblocking forms, equally on all ranks:
/// MPI matches the two only among themselves (MPI-4.0, 6.12). With `nonblocking`, a rank on a stack beside the
/// program's goes back to the program while it waits. Those that return an int return MPI's error code.
struct Collectives {
  bool nonblocking = false;

  int bcast(void* buffer, int count, abi::Type type, int root, abi::Comm comm) const;
  int allreduce(const void* from, void* to, int count, abi::Type type, abi::Op op, abi::Comm comm) const;
  int allgather(const void* mine, void* all, std::size_t bytes, abi::Comm comm) const;
  /// True if `mine` is true on all ranks.
  bool true_on_all(bool mine, abi::Comm comm) const;
  /// Makes the program's call natively.
  int forward(const abi::RawCall& call) const;
};

}  // namespace mpigraft::wait
