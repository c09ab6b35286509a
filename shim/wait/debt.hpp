// SPDX-License-Identifier: MIT
// The debt of progress. Programs send, meet in a collective, and then look for the message once, by MPI_Iprobe or
// MPI_Test. MPI's collectives take messages in while they wait. One that ran in shared memory has not, so the next look
// must do it.
#pragma once

#include <atomic>

namespace mpigraft::wait {

/// The debt is the process's, because any thread may look after any other has been in a collective.
enum class Debt { none, owed, being_paid };
inline std::atomic<Debt> debt{Debt::none};

/// Called by each grafted collective.
inline void owe_progress() {
  if (debt.load(std::memory_order_relaxed) != Debt::owed) debt.store(Debt::owed, std::memory_order_relaxed);
}

inline bool owes_progress() { return debt.load(std::memory_order_relaxed) != Debt::none; }

/// Drives MPI's progress until it has nothing to do, or has been busy for very long.
void pay_debt();

/// True while a thread pays: its looks for messages must then be counted.
inline bool is_paying() { return debt.load(std::memory_order_relaxed) == Debt::being_paid; }

/// Counts a look of this thread through UCX, which moved `moved` messages.
void count_paid_look(unsigned moved);

}  // namespace mpigraft::wait
