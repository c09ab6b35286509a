// SPDX-License-Identifier: MIT
// MPI's progress, driven for ends of ours. A rank that waits in shared memory drives it now and then, because messages
// of the program must move on. A collective that completed there leaves a debt: programs send, call a collective, and
// then poll once, by MPI_Iprobe or MPI_Test. MPI's collectives take messages in while they wait, ours do not, so that
// poll must.
#pragma once

#include <atomic>

#include "shim/wait/jobs.hpp"

namespace mpigraft::wait {

/// What MPI's progress function has done while this thread drove it.
struct Driven {
  bool now = false;  // this thread drives it
  unsigned polls = 0, moved = 0;

  /// Counts a poll that moved `n` messages.
  void count(unsigned n) { ++polls, moved += n; }
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Driven driven;

/// While one exists, this thread polls for an end of ours, which backs off by itself.
class Driving {
 public:
  Driving() {
    driven = {.now = true};
    ++lookers;
  }
  ~Driving() {
    driven.now = before_;
    --lookers;
  }
  Driving(const Driving&) = delete;
  Driving& operator=(const Driving&) = delete;

 private:
  const bool before_ = driven.now;
};

/// Moves the program's pending messages on (progress; MPI-4.0, 3.5), and carries on jobs of this thread.
void drive_progress();

/// The debt is the process's, because any thread may poll after any other has been in a collective.
enum class Debt { none, owed, being_paid };
inline std::atomic<Debt> debt{Debt::none};

/// Called by each grafted collective.
inline void owe_progress() {
  if (debt.load(std::memory_order_relaxed) != Debt::owed) debt.store(Debt::owed, std::memory_order_relaxed);
}

inline bool owes_progress() { return debt.load(std::memory_order_relaxed) != Debt::none; }

/// Drives MPI's progress until it has nothing to do, or has been busy for very long.
void pay_debt();

}  // namespace mpigraft::wait
