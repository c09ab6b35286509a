// SPDX-License-Identifier: MIT
// The trace: the last calls of this rank, in a file that outlives it. It shows the call in which a rank waits for ever.
#pragma once

#include <string_view>

#include "config/report/trace.hpp"
#include "shim/abi/functions.hpp"
#include "shim/watch/told.hpp"
#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {

struct TracedComm;

/// The ranks that call a function together.
enum class Callers {
  alone,     // this rank for itself, or ranks that are not known
  together,  // all ranks of the communicator
  alike,     // all ranks of the communicator, each with the same number of bytes
  starts,    // this rank, and it does not wait
  last,      // all ranks, in MPI_Finalize
};

/// The entry of the call that a thread is in, and the time in ns of the steady clock when it began; null: it is in
/// none.
struct Inside {
  const report::TraceEntry* entry = nullptr;
  std::int64_t since = 0;
};
Inside inside();

/// Traces a call from its construction to its destruction. Does nothing if there is no trace.
class TracedCall {
 public:
  TracedCall(std::string_view function, Callers callers, const Told& told);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

  /// Set if MPI refused the communicator. Then the call must not be made, because MPI has called the error handler.
  abi::Refused refused() const { return refused_; }
  /// Called with the call's error code, which it returns. Remembers the request or communicator that the call has made.
  /// A call whose arguments MPI refused is not counted.
  int ended(int error) const;

 private:
  report::TraceEntry& enter(report::Together together);
  void publish();
  void remember_request() const;

  const std::string_view function_;
  const Callers callers_;
  const Told told_;
  TracedComm* comm_ = nullptr;
  report::TraceEntry* entry_ = nullptr;  // null: the call makes none
  std::int64_t number_ = 0;
  std::int64_t call_ = 0;  // its number among those that the communicator's ranks make together; 0: it is not one
  Inside around_{};
  abi::Refused refused_;
};

}  // namespace mpigraft::watch
