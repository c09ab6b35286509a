// SPDX-License-Identifier: MIT
// Ranks that wait: MPIGRAFT_TIMEOUT lets one that waits too long explain the hang, once, and a signal lets any.
#pragma once

namespace mpigraft::watch {

/// Makes this process observe how long its threads wait, and answer signals. REQUIRES: trace_file() is not null.
void watch_waits();

/// Called whenever MPI polls for messages, also in its own calls, so it must not call any function of MPI.
void notice_look();

/// Called at the end of a call: answers a signal that came in it, if MPI has not polled since.
void notice_end();

}  // namespace mpigraft::watch
