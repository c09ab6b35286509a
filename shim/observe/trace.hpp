// SPDX-License-Identifier: MIT
// MPIGRAFT_TRACE: the last calls of this rank, in a file that outlives it. It shows the call in which a rank waits for
// ever.
#pragma once

#include "config/report/trace.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/constants.hpp"
#include "shim/observe/trace_file.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

struct TracedComm;

/// The entry of the call that a thread is in, and the time in ns of the steady clock when it began; null: it is in
/// none.
struct Inside {
  const report::TraceEntry* entry = nullptr;
  std::int64_t since = 0;
};
Inside inside();

/// Traces a call from its construction to its destruction. Does nothing if there is no trace.
class Traced {
 public:
  /// Traces a collective that mpigraft can graft.
  Traced(abi::Comm comm, const abi::Call& call, const operation::Decision& decision);
  /// Traces the set-up of a communicator, in which its ranks wait for each other.
  explicit Traced(abi::Comm comm);
  ~Traced();
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  /// Set if MPI refused the communicator.
  abi::Refused refused() const { return refused_; }
  /// Called with the call's error code, which it returns. A call whose arguments MPI refused is not counted.
  int ended(int error) const;

 protected:
  /// Makes no entry yet.
  Traced() = default;

  /// Finds the communicator for the entry. Returns false if that fails.
  bool find(abi::Comm comm);
  /// Begins the entry. The caller fills it in, and then calls publish().
  report::TraceEntry& enter(report::Together together, std::string_view function);
  /// Makes the entry visible to others.
  void publish();

  /// The number of this call among those that the communicator's ranks make together; 0: it is not one of them.
  std::int64_t call() const { return call_; }

  TracedComm* comm_ = nullptr;

 private:
  report::TraceEntry* entry_ = nullptr;
  std::int64_t number_ = 0, call_ = 0;
  Inside around_{};
  abi::Refused refused_;
};

/// Notes in the file that MPI_Finalize has begun.
void trace_end();

}  // namespace mpigraft::observe
