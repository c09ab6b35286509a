// SPDX-License-Identifier: MIT
// Waiting of a rank. MPICH spins for ever; with more ranks than cores that costs a time slice a message.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

/// The numbers of waits, yields and naps on an oversubscribed node, for the report.
struct Counters {
  std::atomic<std::uint64_t> waits{0}, yields{0}, naps{0};
};
Counters& counters();

/// Much shorter naps starve the ranks that have work.
inline constexpr long usual_nap_ns = 50'000;
/// Sleeps for about so long, or until a job of this thread can go on. REQUIRES: less than a second.
void nap(long ns = usual_nap_ns);

/// The naps of a wait that may be long. Each is a sixteenth of those before it, at most a millisecond: the rank then
/// hardly disturbs those that work.
class GrowingNaps {
 public:
  void nap_on();

 private:
  long napped_ns_ = 0;
};

/// Calls sched_yield as long as that is worthwhile.
class Yields {
 public:
  /// False once yields have repeatedly failed to hand the core over, or have not brought the message soon enough.
  bool any_left() const { return made_ < most && fruitless_ < most_fruitless; }
  /// REQUIRES: any_left().
  void yield();
  int made() const { return made_; }

 private:
  // A bound, because a rank that computes shares its core with all ranks that yield.
  static constexpr int most = 24;
  // A yield often returns at once if every rank is in its own scheduling group, as sessions that mpiexec starts are on
  // many systems.
  static constexpr int most_fruitless = 2;

  int made_ = 0, fruitless_ = 0;
};

/// Called at MPI's first look for messages and in every negotiation. Only this process learns it, and never forgets it:
/// a later, smaller communicator does not take the job's other ranks off the node.
void learn_whether_oversubscribed(bool more_ranks_than_cores);
/// True if the node is known to have more ranks than cores, or MPIGRAFT_WAIT is patient.
bool oversubscribed();

/// Waits for n requests. On an oversubscribed node it spins, then yields, then naps. Every step drives MPI's progress,
/// so a pending send of the program moves on. Each status holds the error code of its request; the first error is
/// returned. MPICH raises the error of a request on MPI_COMM_WORLD, whatever its communicator, so requests must not
/// fail.
int wait_all(int n, abi::Request* requests, abi::Status* statuses);

/// Moves the program's pending messages on by a probe (progress; MPI-4.0, 3.5), and carries on jobs of this
/// thread.
void drive_progress();

/// Sleeps until `wake_on` is called for the same word, at most a millisecond. Returns at once if the word does not hold
/// `value`. Other processes may share the word. If nobody woke it, it drives MPI's progress.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value);
void wake_on(const std::atomic<std::uint32_t>& word);

/// The same steps for a wait that MPI knows nothing of: call `pause` after each look.
class Patience {
 public:
  void pause();
  /// True if the next pause would be a nap. A rank that will be woken should sleep instead, because a nap takes 50 us,
  /// and more on virtual machines.
  bool at_end() const;

 private:
  void give_way();

  std::int64_t looks_ = 0;
  Yields yields_;
};

}  // namespace mpigraft::wait
