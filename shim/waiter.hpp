// SPDX-License-Identifier: MIT
// How a rank waits. MPICH spins for ever; with more ranks than cores that costs a time slice per message.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

namespace mpigraft {

struct WaitCounters {
  std::atomic<std::uint64_t> waits{0}, yields{0}, naps{0};
};
WaitCounters& wait_counters();

/// Told by every exchange: this rank's node has more ranks than cores. Local, and never taken back: the other ranks of
/// the job stay on the node when a small communicator is looked at later.
void set_crowded();
bool crowded();

/// Waits for all requests; on a crowded node it gives the core away: spin, then yield, then nap. Every step drives MPI
/// progress, so a pending send of the program moves on. Each status holds its request's error; the first is returned.
/// MPICH raises what a request met on MPI_COMM_WORLD, whatever its communicator: errors must not get this far.
int wait_all(int n, MPI_Request* requests, MPI_Status* statuses);

}  // namespace mpigraft
