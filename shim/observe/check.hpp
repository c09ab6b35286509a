// SPDX-License-Identifier: MIT
// MPIGRAFT_CHECK: calls that ranks make together are compared where all of a node can see them, in their traces.
#pragma once

#include "config/report/trace.hpp"

namespace mpigraft::observe {

/// Compares this rank's entry with those that other ranks have made of the same call. REQUIRES: they can see it.
void check_call(const report::TraceEntry& entry);

}  // namespace mpigraft::observe
