// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT: which algorithm ran for what, how often and why.
#pragma once

#include "shim/arguments.hpp"
#include "shim/decision.hpp"

namespace mpigraft {

/// Counts a call at rank 0 of its communicator, so that each call of the job is counted once. Nothing without a report.
void count_call(const ShadowComm& shadow, const Call& call, const Decision& decision);

/// Writes what this process has counted. At most once; called when MPI_Finalize begins.
void write_report();

}  // namespace mpigraft
