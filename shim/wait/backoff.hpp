// SPDX-License-Identifier: MIT
// How a rank waits, wherever it does: for words in shared memory, for requests of ours, and in MPI's own calls. MPICH
// spins for ever; with more ranks than cores that costs a time slice a message.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/wait/jobs.hpp"
#include "shim/wait/progress.hpp"

namespace mpigraft::wait {

/// The numbers of waits, yields and sleeps on an oversubscribed node, for the report.
struct Counters {
  std::atomic<std::uint64_t> waits{0}, yields{0}, sleeps{0};
};
inline constinit Counters counters;

/// Called when MPI first polls and in every negotiation. Only this process learns it, and never forgets it: a later,
/// smaller communicator does not take the job's other ranks off the node.
void learn_whether_oversubscribed(bool more_ranks_than_cores);
/// True if the node is known to have more ranks than cores, or MPIGRAFT_WAIT is patient.
bool oversubscribed();

/// One wait. A rank with a core of its own polls on, drives MPI's progress now and then, and after long offers its core
/// to other threads. On an oversubscribed node it polls a few times, then yields, then sleeps, and drives MPI's
/// progress before each.
class Backoff {
 public:
  /// With `sleeps_grow`, each sleep is a sixteenth of those before it: the rank then hardly disturbs those that work.
  constexpr explicit Backoff(bool sleeps_grow = false) : sleeps_grow_(sleeps_grow) {}
  /// Called after each poll that has found nothing.
  void pause();
  /// True if the next pause would be a sleep. A rank that will be woken should call sleep_on instead.
  bool at_end() const;
  /// Yields or sleeps: the pause of a rank that has polled enough.
  void give_way();

 private:
  void sleep();

  std::int64_t polls_ = 0;
  long slept_ns_ = 0;
  int yields_ = 0;
  bool sleeps_grow_;
};

/// Sleeps until `wake_on` is called for the same word, at most a millisecond. Returns at once if the word does not hold
/// `value`. Other processes may share the word. If nobody woke it, it drives MPI's progress.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value);
void wake_on(const std::atomic<std::uint32_t>& word);

// Every function of MPICH that blocks polls for messages again and again through one function of UCX, which mpigraft
// intercepts (entry/progress.cpp); Open MPI does so through opal_progress. Between two polls that found nothing a rank
// can back off. The call itself, its matching, statuses and errors stay MPI's.

/// True if MPI's waits back off: on an oversubscribed node, unless MPIGRAFT_WAIT=native or MPIGRAFT_DISABLE forbids it.
inline std::atomic<bool> backs_off_in_mpi{false};

/// True once MPI has polled through that function. Until then nothing of ours runs while the program is in a call of
/// MPI.
inline std::atomic<bool> seen_polls{false};

/// Makes MPI wait as with MPIGRAFT_WAIT=native until the second is called. For measurements.
inline void leave_waits_to_mpi() { backs_off_in_mpi = false; }
void back_off_in_mpi();

/// The time that this thread has run, and the time of day.
struct Moment {
  std::int64_t own_ns = 0, now_ns = 0;

  static Moment now();
};
/// What polled() asks for the time. A test replaces it, because a machine under load stops any thread anywhere.
inline Moment (*read_clocks)() = &Moment::now;

/// True if polled() has to be called after a poll.
inline bool counts_polls() { return lookers != 0 || backs_off_in_mpi.load(std::memory_order_relaxed); }

/// Called after each poll of this thread in whatever call of MPI; `moved`: it moved a message. Carries on jobs, and
/// backs off if it should.
void polled(bool moved);

/// Called before a poll, instead of polled() after it, where it is not known whether that moves a message. Gives the
/// core away now and then, but never sleeps.
void before_blind_poll();

}  // namespace mpigraft::wait
