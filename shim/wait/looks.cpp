// SPDX-License-Identifier: MIT
#include "shim/wait/looks.hpp"

#include <sched.h>
#include <time.h>

#include "shim/base/process.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::wait {
namespace {

constexpr int looks_at_first = 20, looks_between_naps = 5;  // a look takes about 0.1 us
constexpr int most_yields = 8;           // before the first nap; on a crowded node messages often come that soon
constexpr long longest_look_ns = 5'000;  // a thread that takes longer from one look to the next works in between

struct Looks {
  int left = looks_at_first;  // looks without a message until the core is given away
  int yields = 0;
  long last_ns = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Looks looks;

/// The time that this thread has run. Elapsed time would not do: with MPI_THREAD_MULTIPLE, MPICH itself gives the core
/// away between looks.
long own_time_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void follow_looks() {
  const table::Settings& own = base::settings();
  follows_looks = crowded() && !base::disabled() && own.waiting != table::Waiting::native;
}

void looked(bool found) {
  if (found) return forget_looks();
  if (--looks.left > 1) return;
  const long now_ns = own_time_ns();
  if (looks.left == 1) {
    looks.last_ns = now_ns;
  } else if (now_ns - looks.last_ns > longest_look_ns) {
    forget_looks();
  } else if (looks.yields < most_yields) {
    if (looks.yields++ == 0) counters().waits.fetch_add(1, std::memory_order_relaxed);
    counters().yields.fetch_add(1, std::memory_order_relaxed);
    sched_yield();
    looks.left = 2;
  } else {
    nap();
    looks.left = looks_between_naps;
  }
}

void forget_looks() { looks.left = looks_at_first, looks.yields = 0; }

}  // namespace mpigraft::wait
