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

struct CountedRow;  // of the report, for calls that differ only in their exact size

/// Counts a call and measures it until the end of its scope. Without a report it does nothing, and reads no clock.
class CountedCall {
 public:
  /// `last_row` is that of the communicator's last blocking call. Of a nonblocking call, which has none, the function
  /// that begins it is measured. `caller` is the return address of the program's call, if it is a blocking one.
  CountedCall(const agree::Negotiated& agreed, CountedRow** last_row, bool shares_memory, const abi::Call& call,
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

/// What this rank knows about its job, without asking anyone: the environment, the kernel and the clocks tell it.
/// Throws only std::bad_alloc.
report::Job this_job(int ranks);

/// Called after a negotiation in which all ranks of MPI_COMM_WORLD took part and all asked for a report: they will all
/// take part in the gathering. Called on all ranks or on none.
void expect_all_to_gather();

/// Where the reports of all ranks are: `apart` if they are not gathered, else `here` on rank 0 and `elsewhere` on
/// others.
enum class Reports { apart, here, elsewhere };

/// Merges the reports of all ranks into that of rank 0 in MPI_Finalize. They wait there for those that have not yet
/// come, as MPICH itself does. A rank that ends without MPI_Finalize ends the job, also natively. Collective, unless
/// expect_all_to_gather() was never called. `world` is a communicator of all ranks that nobody else sends on. If it is
/// null, which it must be on all ranks, this makes one, and gathers nothing if that fails.
Reports gather(report::JobReport& report, abi::Comm world);

/// Writes the report of the job if all ranks gather theirs, else that of this process. Called
/// at most once, when MPI_Finalize begins. `world` is that of gather().
void write_report(abi::Comm world);

}  // namespace mpigraft::observe
