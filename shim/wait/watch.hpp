// SPDX-License-Identifier: MIT
// A rank that waits runs code of ours, in MPI's calls as in our own. From there somebody may look at how long it waits:
// no thread, no signal, and nothing where nobody looks.
#pragma once

#include <atomic>

namespace mpigraft::wait {

using Watch = void (*)();
inline std::atomic<Watch> watch{nullptr};  // called now and then in this process, by any thread that waits

inline constexpr int looks_of_a_nap = 64, looks_of_a_sleep = 256;  // as long as so many looks, or longer

void count_looks(int n);

/// This thread has looked for what it waits for, so many times.
inline void watched_looks(int n = 1) {
  if (watch.load(std::memory_order_relaxed)) count_looks(n);
}

}  // namespace mpigraft::wait
