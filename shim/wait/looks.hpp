// SPDX-License-Identifier: MIT
// How MPI's own calls wait. Whatever blocks in MPICH looks for messages again and again through one function of UCX;
// mpigraft stands in front of it (entry/progress.cpp). Between two looks that found nothing a rank can nap: the call
// itself, its matching, its statuses and errors stay MPI's.
#pragma once

#include <atomic>

namespace mpigraft::wait {

/// Whether looks are followed: on a crowded node, unless MPIGRAFT_WAIT=native says no.
inline std::atomic<bool> follows_looks{false};

/// Whether MPI has ever looked so: only then does anything of ours run while the program is in a call of MPI's.
inline std::atomic<bool> seen_looks{false};

/// Sets follows_looks.
void follow_looks();

/// REQUIRES: follows_looks. This thread has looked for messages once, in whatever call of MPI it is.
void looked(bool found);

/// The looks to come belong to a wait that gives the core away itself.
void forget_looks();

/// For measurements: as if MPIGRAFT_WAIT were native, until follow_looks().
inline void leave_waits_to_mpi() { follows_looks = false; }

}  // namespace mpigraft::wait
