// SPDX-License-Identifier: MIT
// MPIGRAFT_TIMEOUT: a rank that waits too long explains the hang, once.
#pragma once

namespace mpigraft::observe {

/// Makes this process observe how long its threads wait. REQUIRES: trace_file() is not null.
void watch_waits();

}  // namespace mpigraft::observe
