// SPDX-License-Identifier: MIT
// Jobs beside the program, and the code that carries them on.
#include "shim/wait/jobs.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace mpigraft::wait;

namespace {

/// Comes further in its first advance, then waits for the same, and is over after `waits` advances.
struct Waiting : Job {
  Waiting(char name, int waits, std::string& told) : name_(name), waits_(waits), told_(told) {}

  Outcome advance() override {
    CHECK(in_job());
    const bool over = advances_ == waits_;
    told_ += over ? '.' : name_;
    if (over) return Outcome::over;
    return advances_++ == 0 ? Outcome::moved : Outcome::waits;
  }

 private:
  const char name_;
  const int waits_;
  std::string& told_;
  int advances_ = 0;
};

}  // namespace

TEST_CASE("a job goes on to where it waits, and from there when it is carried on") {
  std::string told;
  Waiting job('a', 2, told);
  begin(job);
  CHECK(told == "a");
  CHECK(has_jobs());
  CHECK_FALSE(in_job());
  CHECK_FALSE(carry_on());  // it waits for the same as before
  CHECK(told == "aa");
  CHECK(carry_on());
  CHECK(told == "aa.");
  CHECK_FALSE(has_jobs());
  CHECK_FALSE(carry_on());
}

TEST_CASE("a job that never waits is over when it has begun") {
  std::string told;
  Waiting job('a', 0, told);
  begin(job);
  CHECK(told == ".");
  CHECK_FALSE(has_jobs());
}

TEST_CASE("jobs come further together, and end in any order") {
  std::string told;
  Waiting a('a', 1, told), b('b', 4, told), c('c', 2, told);
  for (Job* job : {&a, &b, &c}) begin(*job);
  CHECK(told == "abc");
  for (told.clear(); has_jobs(); told += ' ') carry_on();
  CHECK(told == ".bc b. b . ");
}

TEST_CASE("a job tells what would wake it, until it goes on") {
  static const std::atomic<std::uint32_t> word{7};
  struct Sleeping : Job {
    int advances = 0;
    Outcome advance() override {
      if (advances == 0) job_waits_for({&word, 7});
      return advances++ < 2 ? Outcome::waits : Outcome::over;
    }
  } job;
  CHECK(wakeup_of_jobs().word == nullptr);
  begin(job);
  CHECK(wakeup_of_jobs().word == &word);
  CHECK(wakeup_of_jobs().value == 7);
  carry_on();
  CHECK(wakeup_of_jobs().word == nullptr);
  carry_on();
  CHECK_FALSE(has_jobs());
  job_waits_for({&word, 7});  // without a job it says nothing
  CHECK(wakeup_of_jobs().word == nullptr);
}

TEST_CASE("each thread has its own jobs") {
  std::string told;
  Waiting job('a', 1, told);
  begin(job);
  std::thread([] { CHECK_FALSE(has_jobs()); }).join();
  CHECK(told == "a");
  carry_on();
  CHECK(told == "a.");
}
