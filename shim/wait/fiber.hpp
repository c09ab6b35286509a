// SPDX-License-Identifier: MIT
// Stacks beside the program's. A job on one of them waits by going back to the program; it is carried on whenever the
// program is inside MPI.
#pragma once

#include <atomic>
#include <cstdint>

namespace mpigraft::wait {

class Fiber;

/// The one that this thread runs on, and the first of those that it has begun; null: none.
struct ThreadFibers {
  Fiber* own = nullptr;
  Fiber* first = nullptr;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local ThreadFibers fibers;

/// Whether this thread is on such a stack now, where nothing may block.
inline bool beside_program() { return fibers.own != nullptr; }
/// Whether this thread has jobs to carry on.
inline bool has_jobs() { return fibers.first != nullptr; }

/// A word that somebody changes, and wakes who sleeps on it, when a job can come further; none: null.
struct Wakeup {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t value = 0;
};

/// REQUIRES: beside_program(). Comes back when the job is carried on. `moved`: it has come further since the last time.
void back_to_program(bool moved, const Wakeup& wakeup = {});

/// The wakeup of some job of this thread that has one.
Wakeup wakeup_of_jobs();

/// REQUIRES: !beside_program(). Carries every job of this thread on, up to where it has to wait again. Whether any has
/// come further.
bool carry_on();

/// Runs `job(of)`, which must not throw, until it has to wait; carry_on() does the rest. False, and nothing has run,
/// where there is no memory for a stack.
bool begin_job(void (*job)(void*), void* of);

}  // namespace mpigraft::wait
