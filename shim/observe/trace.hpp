// SPDX-License-Identifier: MIT
// MPIGRAFT_TRACE: the last calls of this rank, in a file that outlives it. A rank that waits for ever is seen there.
#pragma once

#include "config/report/trace.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/observe/seen.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

/// Traces from its construction to its destruction. Without MPIGRAFT_TRACE it does nothing. Spawned jobs, whose ranks
/// have the numbers of others, are not traced.
class Traced {
 public:
  /// A call.
  Traced(const agree::Agreement& agreed, Seen& seen, const abi::Call& call, const operation::Decision& decision);
  /// The set-up of a communicator after so many calls, in which its ranks wait for each other.
  Traced(abi::Comm comm, int calls_before);
  ~Traced();
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

 private:
  report::TraceEntry* entry_ = nullptr;
};

/// Says that MPI_Finalize has begun.
void trace_end();

}  // namespace mpigraft::observe
