// SPDX-License-Identifier: MIT
// Stacks beside the program's. A job on one of them waits by going back to the program. It is carried on whenever the
// program is inside MPI.
#pragma once

#include <atomic>
#include <cstdint>

namespace mpigraft::wait {

class Fiber;

/// The fibers of this thread; null: none.
struct ThreadFibers {
  Fiber* current = nullptr;  // the fiber that the thread runs on
  Fiber* first = nullptr;    // the first in the list of fibers with a job
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local ThreadFibers fibers;

/// True if this thread now runs on a stack beside the program's, where nothing may block.
inline bool beside_program() { return fibers.current != nullptr; }
/// True if this thread has jobs to carry on.
inline bool has_jobs() { return fibers.first != nullptr; }

/// A word that another rank changes when a job can go on, and then wakes whoever sleeps on it. Null: there is none.
struct Wakeup {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t value = 0;  // of the word until then
};

/// Goes back to the program, and returns when the job is carried on. `moved`: the job has made progress since the last
/// time. REQUIRES: beside_program().
void back_to_program(bool moved, const Wakeup& wakeup = {});

/// The wakeup of the first job of this thread that has one.
Wakeup wakeup_of_jobs();

/// Carries every job of this thread on until it has to wait again. Returns true if any job made progress. REQUIRES:
/// !beside_program().
bool carry_on();

/// Runs `job(of)`, which must not throw, until it has to wait; carry_on() does the rest. Returns false, and has run
/// nothing, if there is no memory for a stack.
bool begin_job(void (*job)(void*), void* of);

}  // namespace mpigraft::wait
