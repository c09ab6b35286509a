// SPDX-License-Identifier: MIT
// Jobs beside the program, and the code that carries them on.
#include "shim/wait/fiber.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace mpigraft::wait;

namespace {

struct Job {
  char name;
  int waits;  // times that it goes back
  std::string* told;
};

void begin(Job& job) {
  const auto run = [](void* of) {
    const Job& job = *static_cast<Job*>(of);
    for (int i = 0; i < job.waits; ++i) {
      *job.told += job.name;
      back_to_program(i == 0);
    }
    *job.told += '.';
  };
  REQUIRE(begin_job(run, &job));
}

}  // namespace

TEST_CASE("a job runs to where it waits, and from there when it is carried on") {
  std::string told;
  Job job{'a', 2, &told};
  begin(job);
  CHECK(told == "a");
  CHECK(has_jobs());
  CHECK_FALSE(beside_program());
  CHECK_FALSE(carry_on());  // it waits for the second time, for the same as before
  CHECK(told == "aa");
  CHECK(carry_on());
  CHECK(told == "aa.");
  CHECK_FALSE(has_jobs());
  CHECK_FALSE(carry_on());
}

TEST_CASE("a job that never waits is over when it has begun") {
  std::string told;
  Job job{'a', 0, &told};
  begin(job);
  CHECK(told == ".");
  CHECK_FALSE(has_jobs());
}

TEST_CASE("jobs come further together, and end in any order") {
  std::string told;
  Job jobs[] = {{'a', 1, &told}, {'b', 4, &told}, {'c', 2, &told}};
  for (Job& job : jobs) begin(job);
  CHECK(told == "abc");
  for (told.clear(); has_jobs(); told += ' ') carry_on();
  CHECK(told == "cb. .b b . ");
  Job again{'d', 1, &told};  // on a stack that served before
  begin(again);
  CHECK(carry_on());
  CHECK_FALSE(has_jobs());
}

TEST_CASE("a job that sleeps tells what would wake it") {
  static const std::atomic<std::uint32_t> word{7};
  const auto sleep = [](void*) { back_to_program(false, {&word, 7}); };
  CHECK(wakeup_of_jobs().word == nullptr);
  REQUIRE(begin_job(sleep, nullptr));
  CHECK(wakeup_of_jobs().word == &word);
  CHECK(wakeup_of_jobs().value == 7);
  carry_on();
  CHECK(wakeup_of_jobs().word == nullptr);
}

TEST_CASE("each thread has its own jobs") {
  std::string told;
  Job job{'a', 1, &told};
  begin(job);
  std::thread([] { CHECK_FALSE(has_jobs()); }).join();
  CHECK(told == "a");
  carry_on();
  CHECK(told == "a.");
}
