// SPDX-License-Identifier: MIT
// A function that is called now and then by ranks that wait, in MPI's calls and in ours. It can see how long a rank has
// waited, without a thread or a signal. Without such a function nothing is done.
#pragma once

#include <atomic>

namespace mpigraft::wait {

using Watch = void (*)();
inline std::atomic<Watch> watch{nullptr};  // any thread of this process that waits calls it

inline constexpr int looks_of_a_nap = 64, looks_of_a_sleep = 256;  // a nap or a sleep counts as so many looks

void count_looks(int n);

/// Called when this thread has looked n times for what it waits for.
inline void watched_looks(int n = 1) {
  if (watch.load(std::memory_order_relaxed)) count_looks(n);
}

}  // namespace mpigraft::wait
