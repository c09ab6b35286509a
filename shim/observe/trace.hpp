// SPDX-License-Identifier: MIT
// MPIGRAFT_TRACE: the last calls of this rank, in a file that outlives it. A rank that waits for ever is seen there.
#pragma once

#include "config/report/trace.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/constants.hpp"
#include "shim/observe/trace_file.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

struct TracedComm;

/// The entry that a thread is in, and since when, in ns of the steady clock; null: in none.
struct Inside {
  const report::TraceEntry* entry = nullptr;
  std::int64_t since = 0;
};
Inside inside();

/// Traces from its construction to its destruction. Where nobody asks for a trace it does nothing.
class Traced {
 public:
  /// A call that is grafted, or could be.
  Traced(abi::Comm comm, const abi::Call& call, const operation::Decision& decision);
  /// The set-up of a communicator, in which its ranks wait for each other.
  explicit Traced(abi::Comm comm);
  ~Traced();
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  /// By MPI: the communicator is none.
  abi::Refused refused() const { return refused_; }
  /// The call's own error, which it returns. One that MPI refused does not count.
  int ended(int error) const;

 protected:
  /// Makes nothing yet.
  Traced() = default;

  /// Finds the communicator, for the entry; false where there is none.
  bool find(abi::Comm comm);
  report::TraceEntry& enter(report::Together together, std::string_view function);
  /// The entry is whole: others may read it.
  void publish();

  /// The number among the calls that ranks make together; 0: it is none.
  std::int64_t call() const { return call_; }

  TracedComm* comm_ = nullptr;

 private:
  report::TraceEntry* entry_ = nullptr;
  std::int64_t number_ = 0, call_ = 0;
  Inside around_{};
  abi::Refused refused_;
};

/// Says that MPI_Finalize has begun.
void trace_end();

}  // namespace mpigraft::observe
