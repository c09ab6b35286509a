// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT: the algorithms that ran for each kind of call, how often, how long and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/report/report.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/execute/decision.hpp"
#include "shim/observe/difference.hpp"

namespace mpigraft::observe {

/// True if MPIGRAFT_REPORT is set. False without memory for the settings.
bool asks_for_report();

/// A communicator's last call.
struct PreviousCall {
  Collective collective{};
  const void* result = nullptr;  // null: there was no call, or rank 0 got no result
  std::int64_t bytes = 0;
  abi::Type type = abi::Type::null;
  abi::Op op = abi::Op::null;
};

/// The pair that `call` forms with the last call, if any; then makes `call` the last one. One call could replace the
/// two of a pair: a scan, and a scan or reduction of its result; a reduction, and the call that brings its result to
/// all ranks. Two predefined operators form a pair only if one distributes over the other. REQUIRES: called at rank 0
/// of a communicator of `ranks` ranks.
std::optional<report::ReportPair> follow(PreviousCall& last, const abi::Call& call, std::int64_t ranks);

struct CountedRow;

/// Where the statistics of a communicator's blocking calls are, kept from call to call.
struct CallStatistics {
  PreviousCall previous_call = {};
  CountedRow* row = nullptr;  // the row of the last call
};

/// Counts a call and measures it until the end of its scope. Without a report it does nothing, and reads no clock.
class CountedCall {
 public:
  /// Of a nonblocking call, which has no `statistics`, the function that begins it is measured. `caller` is the return
  /// address of the program's call, if it is a blocking one.
  CountedCall(const agree::Negotiated& agreed, CallStatistics* statistics, bool shares_memory, const abi::Call& call,
              const execute::Decision& decision, const void* caller = nullptr);
  ~CountedCall();
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  CountedRow* row_ = nullptr;  // null: there is no report, and the time is not set
  std::int64_t begin_ = 0;     // base::now_ns()
};

/// Counts a verified call (MPIGRAFT_VERIFY) at rank 0 of its communicator. Without a verdict the call could not be
/// compared, for lack of memory or because the native collective cannot do it.
void count_verified(const agree::Negotiated& agreed, std::optional<Verdict> verdict);

/// Keeps a line about an outcome of MPIGRAFT_LEARN for the report, at rank 0 of its communicator. Throws only
/// std::bad_alloc.
void note_learned(const std::string& line);

/// Writes the report of the job if all ranks gather theirs (shim/observe/gather.hpp), else that of this process. Called
/// at most once, when MPI_Finalize begins. `world` is that of gather().
void write_report(abi::Comm world);

}  // namespace mpigraft::observe
