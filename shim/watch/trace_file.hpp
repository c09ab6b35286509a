// SPDX-License-Identifier: MIT
// This rank's trace file, for MPIGRAFT_TRACE, MPIGRAFT_TIMEOUT or MPIGRAFT_CHECK.
#pragma once

#include <string>

#include "config/report/trace.hpp"

namespace mpigraft::watch {

bool asks_for_trace();

/// This rank's file, which the first call opens; null if nobody asks for a trace or the file cannot be made. REQUIRES:
/// MPI is initialized.
report::TraceFile* trace_file();

/// The folder of the files of all ranks, or at least of this node's ranks; empty if it cannot be made. A rank locks it
/// to report something that many ranks see, or to end its trace.
const std::string& trace_folder();
std::string trace_file_of(std::int64_t rank);

/// Makes a folder for traces and returns its path; empty if that fails. The ranks of a job on a node find the same
/// folder without communication, because it is named after their launcher's process; that of a single rank is named
/// after the rank's own. Only their user may write to it.
/// Also removes folders of jobs that were killed: no process locks a file there, and nobody has written to it for a
/// minute. REQUIRES: MPI is initialized.
std::string private_folder();

/// Called when MPI_Finalize is over. The last rank of a private folder removes it.
void trace_over();

// Ranks that wait: MPIGRAFT_TIMEOUT lets one that waits too long explain the hang, once, and a signal lets any.

/// Makes this process observe how long its threads wait, and answer signals. `mine`: this rank's file.
void watch_waits(report::TraceFile& mine);

/// Called whenever MPI polls for messages, also in its own calls, so it must not call any function of MPI.
void notice_look();

/// Called at the end of a call: answers a signal that came in it, if MPI has not polled since.
void notice_end();

}  // namespace mpigraft::watch
