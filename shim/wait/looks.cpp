// SPDX-License-Identifier: MIT
#include "shim/wait/looks.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "shim/base/clock.hpp"
#include "shim/base/process.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::wait {
namespace {

constexpr int looks_at_first = 20, looks_between_naps = 5;  // a look takes about 0.1 us
constexpr int most_yields = 8;  // before the first nap; on an oversubscribed node messages often come that soon
constexpr long longest_look_ns = 5'000;   // a thread that takes longer from one look to the next works in between
constexpr long shortest_loss_ns = 1'000;  // a change to another thread and back takes longer

// MPICH 5 yields the core between any two looks, so waits for a rank that runs are over after some more looks.
constexpr int looks_if_mpi_yields = 100;

/// The time that this thread has run, and the time of day.
struct Moment {
  long own_ns = 0;
  std::int64_t now_ns = 0;

  static Moment now() {
    timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    return {own.tv_sec * 1'000'000'000 + own.tv_nsec, base::now_ns()};
  }
};

/// Tells whether MPI gives the core away between looks: then a thread often loses it from one look to the next. Others
/// take it there by chance, too, but hardly in one case of nine.
class Losses {
 public:
  void count(bool lost) {
    if (!mpi_yields()) points_ = std::max(0, points_ + (lost ? for_one : -1));
  }
  bool mpi_yields() const { return points_ >= enough; }

 private:
  static constexpr int for_one = 8, enough = 64;
  int points_ = 0;
};

struct Looks {
  int left = looks_at_first;  // looks without a message until the core is given away
  int yields = 0;
  GrowingNaps naps;
  Moment last{};
  Losses losses;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Looks looks;

}  // namespace

void follow_looks() {
  const table::Settings& own = base::settings();
  follows_looks = oversubscribed() && !base::disabled() && own.waiting != table::Waiting::native;
}

void looked(bool found) {
  if (found) return forget_looks();
  if (--looks.left > 1) return;
  const Moment now = Moment::now();
  const Moment taken{now.own_ns - looks.last.own_ns, now.now_ns - looks.last.now_ns};
  if (looks.left == 1) {
    looks.last = now;
    return;
  }
  if (taken.own_ns > longest_look_ns) return forget_looks();
  looks.losses.count(taken.now_ns - taken.own_ns > shortest_loss_ns);
  if (looks.yields < most_yields) {
    if (looks.yields++ == 0) counters().waits.fetch_add(1, std::memory_order_relaxed);
    counters().yields.fetch_add(1, std::memory_order_relaxed);
    sched_yield();
    looks.left = 2;
  } else {
    looks.losses.mpi_yields() ? looks.naps.nap_on() : nap();
    looks.left = looks_between_naps;
  }
}

void forget_looks() {
  looks.left = looks.losses.mpi_yields() ? looks_if_mpi_yields : looks_at_first;
  looks.yields = 0;
  looks.naps = {};
}

}  // namespace mpigraft::wait
