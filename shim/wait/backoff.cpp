// SPDX-License-Identifier: MIT
#include "shim/wait/backoff.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::wait {
namespace {

// Beside each number is what it was chosen by: times of test/apps at 8 ranks on 2 cores, under MPICH 4.0.2.
constexpr int polls_at_first = 20;  // an allreduce takes 19 us with 5 or 20, 23 with 100
constexpr int most_yields = 24;     // it takes 37 us with 4, 19 with 8 to 24; at 16 ranks 113 with 8, 85 with 24
constexpr int polls_between = 5;    // of MPI, from one yield or sleep to the next: an alltoall is as fast with 2
// A poll that carries jobs on looks at shared memory, too: three allreduces at a time take 80 us, 103 with the above.
constexpr int polls_at_first_for_jobs = 4, polls_between_for_jobs = 2;
constexpr long usual_sleep_ns = 50'000;     // 1 us slows the program `workers` down by 15 %, 150 us `ring` by 20 %
constexpr int polls_between_progress = 32;  // with a core each, a barrier of 2 ranks takes 128 ns with 32 and with 1024
constexpr int patient_polls = 4096;         // not tried: far more than a message takes between ranks that run
constexpr long longest_poll_ns = 5'000;     // a poll takes 0.1 us, so a thread that takes longer works in between

// For MPICH 5, which yields the core between any two polls; chosen by the same programs there.
constexpr int polls_if_mpi_yields = 100;  // a wait for a rank that runs is over after some more polls than elsewhere
constexpr long switch_ns = 250;  // a change to another thread and back takes 500 or more, a yield to nobody below 50
constexpr long longest_sleep_ns = 1'000'000, part_of_all = 16;  // a rank that waits long leaves the core to others

std::atomic<bool> oversubscribed_flag{false};

/// Returns true if somebody woke this thread.
bool sleep_while(const Wakeup& wakeup, const timespec& at_most) {
  return syscall(SYS_futex, wakeup.word, FUTEX_WAIT, wakeup.value, &at_most, nullptr, 0) == 0;
}

/// Tells whether MPI gives the core away between polls: then a thread often loses it from one poll to the next. Others
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

/// The wait of a thread in MPI's own call.
class MpiWait {
 public:
  void restart() {
    left_ = losses_.mpi_yields() ? polls_if_mpi_yields : has_jobs() ? polls_at_first_for_jobs : polls_at_first;
    backoff_ = Backoff(losses_.mpi_yields());
  }
  void pause() {
    if (--left_ > 1) return;
    const Moment now = read_clocks();
    if (left_ == 1) {
      last_ = now;
      return;
    }
    const long own_ns = now.own_ns - last_.own_ns;
    if (own_ns > longest_poll_ns) return restart();
    losses_.count(now.now_ns - last_.now_ns - own_ns > switch_ns);
    left_ = has_jobs() ? polls_between_for_jobs : polls_between;
    backoff_.give_way();
  }

 private:
  int left_ = polls_at_first;  // polls without a message until the core is given away
  Moment last_{};
  Losses losses_;
  Backoff backoff_;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local MpiWait mpi_wait;

}  // namespace

Moment Moment::now() {
  timespec cpu;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  return {cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec, base::now_ns()};
}

void learn_whether_oversubscribed(bool more_ranks_than_cores) {
  base::ignore_bad_alloc([&] {
    if (!more_ranks_than_cores && base::settings().waiting != table::Waiting::patient) return;
    oversubscribed_flag.store(true, std::memory_order_relaxed);
    back_off_in_mpi();
  });
}

bool oversubscribed() { return oversubscribed_flag.load(std::memory_order_relaxed); }

bool Backoff::at_end() const { return oversubscribed() && yields_ == most_yields && !has_jobs(); }

void Backoff::pause() {
  ++polls_;
  const bool gives_way = oversubscribed();
  if (gives_way ? polls_ < polls_at_first : polls_ % polls_between_progress != 0) return;  // no PAUSE: VMs trap it
  drive_progress();
  if (gives_way) return give_way();
  if (polls_ > patient_polls) sched_yield();
}

void Backoff::give_way() {
  if (yields_ == most_yields) return sleep();
  if (yields_++ == 0) counters.waits.fetch_add(1, std::memory_order_relaxed);
  counters.yields.fetch_add(1, std::memory_order_relaxed);
  sched_yield();
}

void Backoff::sleep() {
  const long ns = sleeps_grow_ ? std::clamp(slept_ns_ / part_of_all, usual_sleep_ns, longest_sleep_ns) : usual_sleep_ns;
  slept_ns_ += ns;
  // Linux prolongs sleeps by up to the timer slack, so that those of a node end together: 50 us for most programs.
  const timespec length{0, std::max(1'000L, ns - prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0))};
  if (const Wakeup wakeup = wakeup_of_jobs(); wakeup.word)
    sleep_while(wakeup, length);
  else
    nanosleep(&length, nullptr);
  counters.sleeps.fetch_add(1, std::memory_order_relaxed);
}

void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  counters.sleeps.fetch_add(1, std::memory_order_relaxed);
  if (!sleep_while({&word, value}, {0, longest_sleep_ns})) drive_progress();
}

void wake_on(const std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

void back_off_in_mpi() {
  const table::Settings& settings = base::settings();
  backs_off_in_mpi = oversubscribed() && !base::disabled() && settings.waiting != table::Waiting::native;
}

void polled(bool moved) {
  if (in_job()) return;
  if (has_jobs()) carry_on();
  if (!backs_off_in_mpi.load(std::memory_order_relaxed)) return;
  moved || std::exchange(jobs.moved, false) || driven.now ? mpi_wait.restart() : mpi_wait.pause();
}

void before_blind_poll() {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local unsigned polls = 0;
  if (in_job()) return;
  if (has_jobs()) carry_on();
  if (!backs_off_in_mpi.load(std::memory_order_relaxed) || driven.now || ++polls % polls_between != 0) return;
  counters.yields.fetch_add(1, std::memory_order_relaxed);
  sched_yield();
}

}  // namespace mpigraft::wait
