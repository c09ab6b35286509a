// SPDX-License-Identifier: MIT
// How a rank gives its core away between MPI's looks for messages.
#include "shim/wait/looks.hpp"

#include <sched.h>
#include <time.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "shim/wait/waiter.hpp"

using namespace mpigraft::wait;

namespace {

/// The naps that so many looks in a row take, of which none finds a message.
int naps_of(int looks) {
  const auto before = counters().naps.load();
  for (int i = 0; i < looks; ++i) looked(false);
  return static_cast<int>(counters().naps.load() - before);
}

void work_for(std::chrono::microseconds length) {
  timespec now;
  const auto own_time = [&] {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  for (const auto end = own_time() + length; own_time() < end;) {
  }
}

void stay_on_this_core() {
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(sched_getcpu(), &core);
  sched_setaffinity(0, sizeof core, &core);
}

}  // namespace

TEST_CASE("a wait naps after looking in vain for a while, and looks anew after each message") {
  forget_looks();
  CHECK(naps_of(15) == 0);
  CHECK(naps_of(80) >= 4);
  looked(true);
  CHECK(naps_of(15) == 0);
  CHECK(naps_of(80) >= 4);
  forget_looks();
  CHECK(naps_of(15) == 0);
}

TEST_CASE("a wait is counted once, with its yields") {
  constexpr int tries = 5;  // a machine that stops this thread seems like work between its looks
  int right = 0;
  for (int i = 0; i < tries; ++i) {
    forget_looks();
    const auto waits = counters().waits.load(), yields = counters().yields.load();
    naps_of(80);
    right += counters().waits == waits + 1 && counters().yields == yields + 8;
  }
  CHECK(right > 0);
}

TEST_CASE("a program that works between its looks does not nap") {
  forget_looks();
  for (int i = 0; i < 300; ++i) {
    CHECK(naps_of(1) == 0);
    if (i > 15) work_for(std::chrono::microseconds(20));
  }
}

TEST_CASE("a wait naps later, and longer in the end, where MPI gives the core away between looks") {
  const auto time_of_nap = [] {
    const auto start = std::chrono::steady_clock::now();
    while (naps_of(1) == 0) {
    }
    return std::chrono::steady_clock::now() - start;
  };
  constexpr int tries = 5;  // the scheduler may keep the other thread from the core
  int right = 0;
  const auto wait_where_mpi_yields = [&] {
    stay_on_this_core();
    std::atomic<bool> learned{false};
    std::thread other([&] {  // on the same core, which it inherits
      while (!learned) sched_yield();
    });
    for (int i = 0; i < 300; ++i) {
      looked(false);
      sched_yield();
    }
    learned = true;
    other.join();
    forget_looks();
    const bool later = naps_of(90) == 0;
    for (int i = 0; i < 100; ++i) time_of_nap();
    right += later && time_of_nap() > std::chrono::microseconds(200);
  };
  for (int i = 0; i < tries; ++i) std::thread(wait_where_mpi_yields).join();
  CHECK(right > 0);
  forget_looks();
  CHECK(naps_of(80) >= 4);  // this thread has seen no such thing
}

TEST_CASE("threads look for themselves") {
  forget_looks();
  naps_of(15);
  std::thread([] { CHECK(naps_of(15) == 0); }).join();
  CHECK(naps_of(80) >= 4);
}

TEST_CASE("only looks on an oversubscribed node are followed, and none while MPI waits for itself") {
  learn_whether_oversubscribed(false);
  follow_looks();
  CHECK(follows_looks == oversubscribed());
  learn_whether_oversubscribed(true);
  CHECK(follows_looks);
  leave_waits_to_mpi();
  CHECK_FALSE(follows_looks);
  follow_looks();
  CHECK(follows_looks);
}
