// SPDX-License-Identifier: MIT
#include "shim/wait/looks.hpp"

#include <time.h>

#include "shim/base/process.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::wait {
namespace {

constexpr int looks_before_nap = 20, looks_between_naps = 5;  // a look takes about 0.1 us
constexpr long longest_look_ns = 5'000;  // a program that takes longer from one look to the next works in between

struct Looks {
  int to_nap = looks_before_nap;  // so many more without a message
  long last_ns = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Looks looks;

/// This thread's time on a core: with MPI_THREAD_MULTIPLE, MPICH gives its core away between looks.
long own_time_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void follow_looks() {
  const table::Settings& own = base::settings();
  follows_looks = crowded() && !own.disable && own.waiting != table::Waiting::native;
}

void looked(bool found) {
  if (found) return forget_looks();
  if (--looks.to_nap > 1) return;
  const long now_ns = own_time_ns();
  if (looks.to_nap == 1) {
    looks.last_ns = now_ns;
  } else if (now_ns - looks.last_ns > longest_look_ns) {
    forget_looks();
  } else {
    nap();
    looks.to_nap = looks_between_naps;
  }
}

void forget_looks() { looks.to_nap = looks_before_nap; }

}  // namespace mpigraft::wait
