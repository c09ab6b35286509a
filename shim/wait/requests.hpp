// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

/// As abi::test, in a wait that backs off by itself.
bool poll(abi::Request& request, abi::Status& status);

/// Waits for a request. On an oversubscribed node it backs off. Every test drives MPI's progress, so a pending send of
/// the program moves on. Returns the error code of the request, as status.error. MPICH raises the error of a request on
/// MPI_COMM_WORLD, whatever its communicator, so requests must not fail.
int wait_for(abi::Request& request, abi::Status& status);

/// MPI's collectives for our own ends, one at a time. They run in their blocking or in their nonblocking forms, equally
/// on all ranks: MPI matches the two only among themselves (MPI-4.0, 6.12). Buffers stay as they are until is_over().
class Collectives {
 public:
  explicit Collectives(bool nonblocking) : nonblocking_(nonblocking) {}

  /// Calls a function of abi with these arguments.
  void call(auto function, auto... arguments) { error_ = function(arguments..., nonblocking_ ? &request_ : nullptr); }
  /// Makes the program's call natively.
  void forward(const abi::RawCall& call) { error_ = abi::forward(call, nonblocking_ ? &request_ : nullptr); }

  bool nonblocking() const { return nonblocking_; }
  bool is_over();
  /// MPI's error code for the last call, once it is over.
  int error() const { return error_; }

 private:
  const bool nonblocking_;
  abi::Request request_ = abi::Request::null;  // null: the call is over
  int error_ = abi::success;
};

}  // namespace mpigraft::wait
