// SPDX-License-Identifier: MIT
// Work that is under way beside the program: its nonblocking calls. A job never waits. Whenever the program is inside
// MPI, it goes on as far as it can, and then returns.
#pragma once

#include <atomic>
#include <cstdint>

namespace mpigraft::wait {

/// A word that another rank changes when a job can go on, and then wakes whoever sleeps on it. Null: there is none.
struct Wakeup {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t value = 0;  // of the word until then
};

class Job {
 public:
  enum class Outcome {
    waits,  // for the same as the last time
    moved,  // it came further, and now waits
    over,
  };

  /// Goes on until it would have to wait. It lets exceptions of the program's operators through, and can go on after
  /// one.
  virtual Outcome advance() = 0;
  /// Called once it is over and no longer one of the thread's jobs. It may delete the job, and call the program.
  virtual void ended() {}

  Wakeup wakeup;        // what ends the wait
  Job* next = nullptr;  // of the thread's jobs

 protected:
  ~Job() = default;
};

/// The jobs of this thread.
struct ThreadJobs {
  Job* running = nullptr;
  Job* first = nullptr;  // in the order in which they began
  Job* last = nullptr;   // valid if there is a first one
  bool moved = false;    // one came further since polled() looked
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local ThreadJobs jobs;

/// How many look at this thread's polls: its jobs together, and each end of ours for which it drives progress. One
/// number, because a message of MPI takes several polls.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned lookers = 0;

/// True if this thread is advancing a job: then nothing may block.
inline bool in_job() { return jobs.running != nullptr; }
inline bool has_jobs() { return jobs.first != nullptr; }

/// States what ends the wait of the running job, if there is one.
void job_waits_for(const Wakeup& wakeup);

/// The wakeup of the first job of this thread that has one.
Wakeup wakeup_of_jobs();

/// Advances every job of this thread. Returns true if any came further. REQUIRES: !in_job().
bool carry_on();

/// Advances a job, unless another one is being advanced, and lets this thread carry it on until it is over; it must
/// live so long.
void begin(Job& job);

}  // namespace mpigraft::wait
