// SPDX-License-Identifier: MIT
// How a rank waits. MPICH spins for ever; with more ranks than cores that costs a time slice per message.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

struct Counters {
  std::atomic<std::uint64_t> waits{0}, yields{0}, naps{0};
};
Counters& counters();

/// Sleeps for about 50 us. Much shorter naps starve the ranks that have work.
void nap();

/// sched_yield, as long as that is worth it.
class Yields {
 public:
  /// False: the core is better given away by sleeping, as often enough it was not taken, or not soon.
  bool any_left() const { return made_ < most && fruitless_ < most_fruitless; }
  /// REQUIRES: any_left().
  void yield();
  int made() const { return made_; }

 private:
  // A rank that computes has to share its core with all who yield.
  static constexpr int most = 24;
  // Where every rank is a scheduling group of its own, as the sessions that mpiexec starts are on many a Linux, a yield
  // often comes back at once.
  static constexpr int most_fruitless = 2;

  int made_ = 0, fruitless_ = 0;
};

/// Told by MPI's first look and every exchange of this rank's node. Local, and never taken back: the other ranks of the
/// job stay on the node when a small communicator is looked at later.
void learn_whether_crowded(bool more_ranks_than_cores);
/// Whether there are more ranks than cores, or MPIGRAFT_WAIT=patient says so.
bool crowded();

/// Waits for all requests; on a crowded node it gives the core away: spin, then yield, then nap. Every step drives MPI
/// progress, so a pending send of the program moves on. Each status holds its request's error; the first is returned.
/// MPICH raises what a request met on MPI_COMM_WORLD, whatever its communicator: errors must not get this far.
int wait_all(int n, abi::Request* requests, abi::Status* statuses);

/// Moves the program's pending messages on, by looking for one on `comm`.
void drive_progress(abi::Comm comm);

/// Sleeps until `wake_on` the same word, which other processes may share; not at all where it holds something else, and
/// never long. Where nobody woke it, MPI is driven on.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value, abi::Comm comm);
void wake_on(const std::atomic<std::uint32_t>& word);

/// The same ladder for one who waits for something that MPI does not know of: `pause` after every look at it.
class Patience {
 public:
  explicit Patience(abi::Comm comm) : comm_(comm) {}
  void pause();
  /// The next pause is a nap, which takes 50 us and more on virtual machines: who will be woken sleeps instead.
  bool at_end() const;

 private:
  void give_way();

  const abi::Comm comm_;
  std::int64_t looks_ = 0;
  Yields yields_;
};

}  // namespace mpigraft::wait
