// SPDX-License-Identifier: MIT
#include "shim/wait/waiter.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "shim/abi/constants.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/wait/fiber.hpp"
#include "shim/wait/looks.hpp"

namespace mpigraft::wait {
namespace {

constexpr int spins = 20;               // tests of requests before the first yield, about a microsecond
constexpr int looks = 32;               // looks at memory, which are cheaper, before MPI's progress or the first yield
constexpr double switch_us = 1;         // a shorter yield has given the core to nobody
constexpr int yields_for_progress = 8;  // one in so many drives MPI's progress
constexpr int patient_looks = 4096;  // on a node that is not oversubscribed, before other threads are offered the core
constexpr long shortest_nap_ns = 1'000, longest_sleep_ns = 1'000'000;

std::atomic<bool> oversubscribed_flag{false};

/// Tests the requests that are not complete, one by one. Returns true if all are complete.
bool all_done(int n, abi::Request* requests, abi::Status* statuses) {
  bool open = false;
  if (!beside_program()) forget_looks();
  for (int i = 0; i < n; ++i)
    if (requests[i] != abi::Request::null) open |= !abi::test(requests[i], statuses[i]);
  return !open;
}

void give_way_until_done(int n, abi::Request* requests, abi::Status* statuses) {
  for (int i = 0; i < n; ++i) statuses[i].error = abi::success;
  for (int i = 0; i < spins; ++i)
    if (all_done(n, requests, statuses)) return;
  counters().waits.fetch_add(1, std::memory_order_relaxed);
  for (Yields yields; yields.any_left();) {
    yields.yield();
    if (all_done(n, requests, statuses)) return;
  }
  while (!all_done(n, requests, statuses)) nap();
}

void go_back_until_done(int n, abi::Request* requests, abi::Status* statuses) {
  for (int i = 0; i < n; ++i) statuses[i].error = abi::success;
  for (bool moved = true; !all_done(n, requests, statuses); moved = false) back_to_program(moved);
}

/// Returns true if somebody woke this thread.
bool sleep_while(const Wakeup& wakeup, const timespec& at_most) {
  return syscall(SYS_futex, wakeup.word, FUTEX_WAIT, wakeup.value, &at_most, nullptr, 0) == 0;
}

}  // namespace

void nap(long ns) {
  // Linux prolongs naps by up to the timer slack, so that naps of a node end together: 50 us for most programs.
  const timespec length{0, std::max(shortest_nap_ns, ns - prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0))};
  if (const Wakeup wakeup = wakeup_of_jobs(); wakeup.word)
    sleep_while(wakeup, length);
  else
    nanosleep(&length, nullptr);
  counters().naps.fetch_add(1, std::memory_order_relaxed);
}

void GrowingNaps::nap_on() {
  constexpr long part = 16, longest_ns = 1'000'000;
  const long length = std::clamp(napped_ns_ / part, usual_nap_ns, longest_ns);
  napped_ns_ += length;
  nap(length);
}

void Yields::yield() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  sched_yield();
  const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
  fruitless_ = taken.count() < switch_us ? fruitless_ + 1 : 0;
  ++made_;
  counters().yields.fetch_add(1, std::memory_order_relaxed);
}

Counters& counters() {
  static Counters of_process;
  return of_process;
}

void learn_whether_oversubscribed(bool more_ranks_than_cores) {
  base::ignore_bad_alloc([&] {
    if (!more_ranks_than_cores && base::settings().waiting != table::Waiting::patient) return;
    oversubscribed_flag.store(true, std::memory_order_relaxed);
    follow_looks();
  });
}

bool oversubscribed() { return oversubscribed_flag.load(std::memory_order_relaxed); }

int wait_all(int n, abi::Request* requests, abi::Status* statuses) {
  if (beside_program())
    go_back_until_done(n, requests, statuses);
  else if (oversubscribed())
    give_way_until_done(n, requests, statuses);
  else
    for (int i = 0; i < n; ++i) abi::wait(requests[i], statuses[i]);
  for (int i = 0; i < n; ++i)
    if (statuses[i].error != abi::success) return statuses[i].error;
  return abi::success;
}

void drive_progress() {
  if (beside_program()) return;          // the program is inside MPI, which makes progress
  if (has_jobs() && carry_on()) return;  // a probe does not always look for messages, and then carries on no job
  forget_looks();
  abi::progress();
}

void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  if (beside_program()) return back_to_program(false, {&word, value});
  counters().naps.fetch_add(1, std::memory_order_relaxed);
  if (!sleep_while({&word, value}, {0, longest_sleep_ns})) drive_progress();
}

void wake_on(const std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

bool Patience::at_end() const {
  if (!oversubscribed()) return false;
  return beside_program() ? looks_ > 0 : !yields_.any_left() && !has_jobs();
}

void Patience::pause() {
  ++looks_;
  if (beside_program()) return back_to_program(looks_ == 1);
  if (looks_ < looks || (!oversubscribed() && looks_ % looks != 0))
    return;  // no PAUSE instruction: virtual machines trap it
  if (oversubscribed()) return give_way();
  drive_progress();
  if (looks_ > patient_looks) sched_yield();
}

void Patience::give_way() {
  if (yields_.made() == 0) counters().waits.fetch_add(1, std::memory_order_relaxed);
  if (yields_.made() % yields_for_progress == 0 || !yields_.any_left()) drive_progress();
  if (yields_.any_left()) return yields_.yield();
  nap();
}

}  // namespace mpigraft::wait
