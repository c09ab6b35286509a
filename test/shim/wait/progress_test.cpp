// SPDX-License-Identifier: MIT
// How the progress is made up for that a collective in shared memory has not driven.
#include "shim/wait/progress.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <thread>

#include "shim/abi/functions.hpp"

using namespace mpigraft::wait;

namespace {

std::function<void()> progress = [] {};

}  // namespace

// In place of a translation. Nothing here has requests.
bool mpigraft::abi::is_up() { return true; }
bool mpigraft::abi::test(Request&, Status&) { std::abort(); }
void mpigraft::abi::wait(Request&, Status&) { std::abort(); }
void mpigraft::abi::progress() { ::progress(); }

namespace {

/// The rounds in which a debt is paid, if MPI does `round` in each.
template <class Round>
int rounds_of(Round round) {
  int rounds = 0;
  progress = [&] { round(++rounds); };
  owe_progress();
  pay_debt();
  progress = [] {};
  return rounds;
}

}  // namespace

TEST_CASE("a debt is paid until MPI has nothing to do") {
  CHECK_FALSE(owes_progress());
  CHECK(rounds_of([](int round) {
          CHECK(driven.now);
          driven.count(round <= 3 ? 2 : 0);
        }) == 4);
  CHECK_FALSE(owes_progress());
  CHECK_FALSE(driven.now);
}

TEST_CASE("paying ends though messages arrive without end, or MPI does not tell") {
  CHECK(rounds_of([](int) { driven.count(1); }) >= 100);
  CHECK_FALSE(owes_progress());
  CHECK(rounds_of([](int) {}) > 1);
  CHECK_FALSE(owes_progress());
}

TEST_CASE("another thread owes too until a debt is paid, and a collective meanwhile makes a new one") {
  rounds_of([](int) {
    std::thread([] { CHECK(owes_progress()); }).join();
    driven.count(0);
  });
  CHECK_FALSE(owes_progress());
  rounds_of([](int) {
    owe_progress();
    driven.count(0);
  });
  CHECK(owes_progress());
  rounds_of([](int) { driven.count(0); });
  CHECK_FALSE(owes_progress());
}
