// SPDX-License-Identifier: MIT
// MPIGRAFT_REPORT: which algorithm ran for what, how often and why.
#pragma once

#include <optional>

#include "shim/arguments.hpp"
#include "shim/decision.hpp"
#include "shim/difference.hpp"

namespace mpigraft {

/// Counts a call at rank 0 of its communicator, so that each call of the job is counted once. Nothing without a report.
void count_call(const ShadowComm& shadow, const Call& call, const Decision& decision);

/// Counts a verified call (MPIGRAFT_VERIFY) likewise; without a verdict it could not be compared, by the
/// lack of memory or of a native collective that can do it.
void count_verified(const ShadowComm& shadow, std::optional<Verdict> verdict);

/// Writes what this process has counted. At most once; called when MPI_Finalize begins.
void write_report();

}  // namespace mpigraft
