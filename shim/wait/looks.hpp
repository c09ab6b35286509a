// SPDX-License-Identifier: MIT
// Naps in MPI's own calls. Every function of MPICH that blocks looks for messages repeatedly through one function of
// UCX, which mpigraft intercepts (entry/progress.cpp); Open MPI does so through opal_progress (entry/open_mpi.cpp).
// Between two looks that found nothing a rank can nap. The call itself, its matching, statuses and errors stay MPI's.
#pragma once

#include <atomic>

namespace mpigraft::wait {

/// True if ranks nap between looks: on an oversubscribed node, unless MPIGRAFT_WAIT=native or MPIGRAFT_DISABLE forbids
/// it.
inline std::atomic<bool> follows_looks{false};

/// True once MPI has looked through that function. Until then nothing of ours runs while the program is in a call of
/// MPI.
inline std::atomic<bool> seen_looks{false};

/// Sets follows_looks by what is known of the node and by the settings.
void follow_looks();

/// Called after each look for messages of this thread, in whatever call of MPI it is; `found`: the look found one.
/// REQUIRES: follows_looks.
void looked(bool found);

/// Begins to count looks anew. Waits of ours call it, because they give the core away themselves.
void forget_looks();

/// Makes MPI wait as with MPIGRAFT_WAIT=native, until follow_looks() is called. For measurements.
inline void leave_waits_to_mpi() { follows_looks = false; }

}  // namespace mpigraft::wait
