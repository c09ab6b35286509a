// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT: which algorithm ran for what, how often, how long and why.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "config/report/arrivals.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/observe/difference.hpp"
#include "shim/observe/seen.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

/// Whether there is MPIGRAFT_REPORT; false, too, where memory is too short to know.
bool asks_for_report();

/// Counts a call and measures it until the end of its scope. Without a report it does nothing, and reads no clock.
class CountedCall {
 public:
  /// `caller` is where the program calls it.
  CountedCall(const agree::Agreement& agreed, Seen& seen, bool shares_memory, const abi::Call& call,
              const operation::Decision& decision, const void* caller);
  ~CountedCall();
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

  /// The call's own error, which it returns. One that MPI refused is none of all ranks.
  int ended(int error);

 private:
  Seen* seen_ = nullptr;  // null: there is no report, and nothing below holds
  CountedRow* row_;
  report::SampledCall compared_;  // id 0: it is not compared
  std::chrono::steady_clock::time_point begin_;
};

/// Counts a nonblocking call, and measures its beginning.
class CountedBeginning {
 public:
  CountedBeginning(const agree::Agreement& agreed, bool shares_memory, const abi::Call& call,
                   const operation::Decision& decision);
  ~CountedBeginning();
  CountedBeginning(const CountedBeginning&) = delete;
  CountedBeginning& operator=(const CountedBeginning&) = delete;

 private:
  CountedRow* row_ = nullptr;
  std::chrono::steady_clock::time_point begin_;
};

/// Counts a verified call (MPIGRAFT_VERIFY) at rank 0 of its communicator; without a verdict it could not be compared,
/// by the lack of memory or of a native collective that can do it.
void count_verified(const agree::Agreement& agreed, std::optional<Verdict> verdict);

/// Keeps a line about an outcome of MPIGRAFT_LEARN for the report, at rank 0 of its communicator. Throws only
/// std::bad_alloc.
void note_learned(const std::string& line);

/// Writes what this process has counted, or, where all ranks have met (shim/observe/gather.hpp), what the job has. At
/// most once; called when MPI_Finalize begins. `world` as in Meeting.
void write_report(abi::Comm world);

}  // namespace mpigraft::observe
