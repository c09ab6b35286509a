// SPDX-License-Identifier: MIT
#include "shim/wait/looks.hpp"

#include <atomic>
#include <chrono>

#include "shim/base/process.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::wait {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int looks_before_naps = 100;  // without a message: about 10 us
constexpr auto longest_look = 5us;      // between two looks of a program that polls there is work of its own

struct Looks {
  int fruitless = 0;
  int naps = 0;  // since a message was found
  Clock::time_point last;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Looks looks;

std::atomic<bool> left_to_mpi{false};

}  // namespace

bool follows_looks() {
  static const bool never = base::settings().disable || base::settings().waiting == table::Waiting::native;
  return !never && crowded() && !left_to_mpi.load(std::memory_order_relaxed);
}

void looked(bool found) {
  if (found) return forget_looks();
  if (++looks.fruitless < looks_before_naps) return;
  const Clock::time_point now = Clock::now();
  if (looks.fruitless == looks_before_naps) {
    looks.last = now;
  } else if (now - looks.last > longest_look) {
    forget_looks();
  } else {
    ExactNaps().nap(looks.naps++);
    looks.last = Clock::now();
  }
}

void forget_looks() { looks.fruitless = looks.naps = 0; }

void leave_waits_to_mpi(bool leave) { left_to_mpi = leave; }

}  // namespace mpigraft::wait
