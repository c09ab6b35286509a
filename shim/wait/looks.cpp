// SPDX-License-Identifier: MIT
#include "shim/wait/looks.hpp"

#include <chrono>

#include "shim/base/process.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::wait {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int looks_before_nap = 20, looks_between_naps = 5;  // a look takes about 0.1 us
constexpr auto longest_look = 5us;  // a program that takes longer from one look to the next works in between

struct Looks {
  int to_nap = looks_before_nap;  // so many more without a message
  Clock::time_point last;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Looks looks;

}  // namespace

void follow_looks() {
  const table::Settings& own = base::settings();
  follows_looks = crowded() && !own.disable && own.waiting != table::Waiting::native;
}

void looked(bool found) {
  if (found) return forget_looks();
  if (--looks.to_nap > 1) return;
  const Clock::time_point now = Clock::now();
  if (looks.to_nap == 1) {
    looks.last = now;
  } else if (now - looks.last > longest_look) {
    forget_looks();
  } else {
    nap();
    looks.to_nap = looks_between_naps;
  }
}

void forget_looks() { looks.to_nap = looks_before_nap; }

}  // namespace mpigraft::wait
