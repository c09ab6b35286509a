// SPDX-License-Identifier: MIT
// MPIGRAFT_CHECK compares the calls that ranks of a node make together, by the ranks' traces.
#pragma once

#include "config/report/trace.hpp"

namespace mpigraft::watch {

/// Compares this rank's entry with other ranks' entries of the same call, if MPIGRAFT_CHECK asks for it. REQUIRES: the
/// entry is published.
void check_call(const report::TraceEntry& entry);

}  // namespace mpigraft::watch
