// SPDX-License-Identifier: MIT
// This rank's trace file, for MPIGRAFT_TRACE, MPIGRAFT_TIMEOUT or MPIGRAFT_CHECK.
#pragma once

#include <string>

#include "config/report/trace.hpp"

namespace mpigraft::watch {

/// True if the environment asks for a trace.
bool asks_for_trace();

/// This rank's file, which the first call opens; null if nobody asks for a trace or the file cannot be made. REQUIRES:
/// MPI is initialized.
report::TraceFile* trace_file();

/// The folder of the files of all ranks, or at least of this node's ranks. REQUIRES: trace_file() is not null.
const std::string& trace_folder();

/// Called when MPI_Finalize is over. The last rank of a private folder removes it.
void trace_over();

}  // namespace mpigraft::watch
