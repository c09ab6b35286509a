// SPDX-License-Identifier: MIT
// How a rank gives its core away while it waits in MPI's own calls.
#include "shim/wait/backoff.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace mpigraft::wait;

namespace {

thread_local Moment moment;

/// MPI's waits back off, as on an oversubscribed node, and time stands still unless a test moves it.
struct Oversubscribed {
  Oversubscribed() {
    read_clocks = [] { return moment; };
    backs_off_in_mpi = true;
    polled(true);
  }
  ~Oversubscribed() {
    read_clocks = &Moment::now;
    back_off_in_mpi();
  }
};

/// The sleeps that so many polls in a row take, of which none finds a message.
int sleeps_of(int polls) {
  const auto before = counters.sleeps.load();
  for (int i = 0; i < polls; ++i) polled(false);
  return static_cast<int>(counters.sleeps.load() - before);
}

}  // namespace

TEST_CASE("a thread's own time stands still while it sleeps, and goes on while it runs") {
  constexpr std::chrono::milliseconds asleep(5);
  const Moment begin = Moment::now();
  std::this_thread::sleep_for(asleep);
  const Moment woken = Moment::now();
  CHECK(std::chrono::nanoseconds(woken.now_ns - begin.now_ns) >= asleep);
  CHECK(std::chrono::nanoseconds(woken.own_ns - begin.own_ns) < asleep);
  while (Moment::now().own_ns == woken.own_ns) continue;
}

TEST_CASE("a wait yields and sleeps after polling in vain for a while, is counted once, and ends with a message") {
  const Oversubscribed node;
  CHECK(sleeps_of(15) == 0);
  const auto waits = counters.waits.load(), yields = counters.yields.load();
  CHECK(sleeps_of(200) >= 4);
  CHECK(counters.waits == waits + 1);
  CHECK(counters.yields > yields);
  CHECK(counters.yields <= yields + 24);
  polled(true);
  CHECK(sleeps_of(15) == 0);
  const Driving driving;  // the thread polls in a wait of ours, which backs off by itself
  CHECK(sleeps_of(200) == 0);
}

TEST_CASE("a program that works between its polls does not sleep") {
  const Oversubscribed node;
  for (int i = 0; i < 300; ++i) {
    CHECK(sleeps_of(1) == 0);
    if (i > 15) moment.own_ns += 20'000, moment.now_ns += 20'000;
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
  std::thread([&] {
    for (int i = 0; i < 300; ++i) polled(false), moment.now_ns += 1'000;
    polled(true);
    CHECK(sleeps_of(200) == 0);
    for (int i = 0; i < 100; ++i) time_of_sleep();
    CHECK(time_of_sleep() > std::chrono::microseconds(200));
  }).join();
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
