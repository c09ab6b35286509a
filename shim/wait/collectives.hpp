// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

/// MPI's collectives for our own ends, blocking or by their nonblocking forms, which match no others. In those a rank
/// goes back to the program while it waits, if it is beside it.
struct Collectives {
  bool nonblocking = false;

  int bcast(void* buffer, int count, abi::Type type, int root, abi::Comm comm) const;
  int allreduce(const void* from, void* to, int count, abi::Type type, abi::Op op, abi::Comm comm) const;
  int allgather(const void* own, void* all, std::size_t bytes, abi::Comm comm) const;
  /// Whether all ranks say so.
  bool true_on_all(bool mine, abi::Comm comm) const;
  /// The program's call, to MPI.
  int forward(const abi::RawCall& call) const;
};

}  // namespace mpigraft::wait
