// SPDX-License-Identifier: MIT
// This rank's file of MPIGRAFT_TRACE, or of MPIGRAFT_TIMEOUT.
#pragma once

#include <string>

#include "config/report/trace.hpp"

namespace mpigraft::observe {

/// Whether the environment asks for a trace.
bool asks_for_trace();

/// Null where nobody asks, and where the file cannot be. Asked only while MPI is up.
report::TraceFile* trace_file();

/// The folder that the files of all ranks are in, or at least those of this node. REQUIRES: there is a file.
const std::string& trace_folder();

/// MPI_Finalize is over. The last rank of a private folder removes it.
void trace_over();

}  // namespace mpigraft::observe
