// SPDX-License-Identifier: MIT
// How a rank gives its core away while it waits in MPI's own calls.
#include "shim/wait/backoff.hpp"

#include <sched.h>
#include <time.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace mpigraft::wait;

namespace {

/// MPI's waits back off, as on an oversubscribed node.
struct Oversubscribed {
  Oversubscribed() { backs_off_in_mpi = true, polled(true); }
  ~Oversubscribed() { back_off_in_mpi(); }
};

// A machine that stops this thread seems like work between its polls, and may keep another one from its core.
constexpr int tries = 5;

/// The sleeps that so many polls in a row take, of which none finds a message.
int sleeps_of(int polls) {
  const auto before = counters.sleeps.load();
  for (int i = 0; i < polls; ++i) polled(false);
  return static_cast<int>(counters.sleeps.load() - before);
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

TEST_CASE("a wait yields and sleeps after polling in vain for a while, is counted once, and ends with a message") {
  const Oversubscribed node;
  int right = 0;
  for (int i = 0; i < tries; ++i) {
    CHECK(sleeps_of(15) == 0);
    const auto waits = counters.waits.load(), yields = counters.yields.load();
    const bool sleeps = sleeps_of(200) >= 4;
    const auto made = counters.yields - yields;
    right += sleeps && counters.waits == waits + 1 && made >= 1 && made <= 24;
    polled(true);
  }
  CHECK(right > 0);
  CHECK(sleeps_of(15) == 0);
  const Driving driving;  // the thread polls in a wait of ours, which backs off by itself
  CHECK(sleeps_of(200) == 0);
}

TEST_CASE("a program that works between its polls does not sleep") {
  const Oversubscribed node;
  for (int i = 0; i < 300; ++i) {
    CHECK(sleeps_of(1) == 0);
    if (i > 15) work_for(std::chrono::microseconds(20));
  }
}

TEST_CASE("a wait sleeps later where MPI gives the core away between polls, and longer in the end") {
  const Oversubscribed node;
  const auto time_of_sleep = [] {
    const auto start = std::chrono::steady_clock::now();
    while (sleeps_of(1) == 0) {
    }
    return std::chrono::steady_clock::now() - start;
  };
  int right = 0;
  const auto wait_where_mpi_yields = [&] {
    stay_on_this_core();
    std::atomic<bool> begun{false}, learned{false};
    std::thread other([&] {  // on the same core, which it inherits
      for (begun = true; !learned;) sched_yield();
    });
    while (!begun) sched_yield();
    for (int i = 0; i < 300; ++i) {
      polled(false);
      sched_yield();
    }
    learned = true;
    other.join();
    polled(true);
    const bool later = sleeps_of(200) == 0;
    for (int i = 0; i < 100; ++i) time_of_sleep();
    right += later && time_of_sleep() > std::chrono::microseconds(200);
  };
  for (int i = 0; i < tries; ++i) std::thread(wait_where_mpi_yields).join();
  CHECK(right > 0);
  polled(true);
  CHECK(sleeps_of(200) >= 4);  // this thread has seen no such thing
}

TEST_CASE("a wait ends where a job comes further, whoever carries it on") {
  struct Moving : Job {
    Outcome outcome = Outcome::waits;
    Outcome advance() override { return outcome; }
  } job;
  const Oversubscribed node;
  begin(job);
  polled(true);
  const auto sleeps = counters.sleeps.load();
  for (int i = 0; i < 200; ++i) {
    job.outcome = Job::Outcome::waits;
    polled(false);
    job.outcome = Job::Outcome::moved;
    carry_on();
  }
  CHECK(counters.sleeps == sleeps);
  job.outcome = Job::Outcome::over;
  carry_on();
  CHECK(sleeps_of(200) >= 4);
}

TEST_CASE("threads poll for themselves") {
  const Oversubscribed node;
  sleeps_of(15);
  std::thread([] { CHECK(sleeps_of(15) == 0); }).join();
  CHECK(sleeps_of(200) >= 4);
}

TEST_CASE("MPI's waits back off only on an oversubscribed node, and not while MPI waits for itself") {
  learn_whether_oversubscribed(false);
  back_off_in_mpi();
  CHECK(backs_off_in_mpi == oversubscribed());
  learn_whether_oversubscribed(true);
  CHECK(backs_off_in_mpi);
  leave_waits_to_mpi();
  CHECK_FALSE(backs_off_in_mpi);
  back_off_in_mpi();
  CHECK(backs_off_in_mpi);
}

TEST_CASE("a wait of ours on an oversubscribed node yields, and sleeps in the end") {
  learn_whether_oversubscribed(true);
  const auto yields = counters.yields.load(), sleeps = counters.sleeps.load();
  Backoff backoff;
  for (int i = 0; i < 15; ++i) backoff.pause();
  CHECK(counters.yields == yields);
  while (!backoff.at_end()) backoff.pause();
  CHECK(counters.yields > yields);
  CHECK(counters.sleeps == sleeps);
  backoff.pause();
  CHECK(counters.sleeps == sleeps + 1);
}
