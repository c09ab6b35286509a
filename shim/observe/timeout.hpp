// SPDX-License-Identifier: MIT
// MPIGRAFT_TIMEOUT: a rank that waits too long has the hang explained, once.
#pragma once

namespace mpigraft::observe {

/// From now on this process notices how long its threads wait. Once a trace is kept.
void watch_waits();

}  // namespace mpigraft::observe
