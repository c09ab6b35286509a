// SPDX-License-Identifier: MIT
#include "shim/watch/signals.hpp"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <atomic>

#include "config/table/settings.hpp"
#include "shim/watch/traced_call.hpp"

namespace mpigraft::watch {
namespace {

constexpr timespec time_to_tell{1, 0};  // for ranks that wait, before this one ends the job

std::atomic<int> came{0};
std::atomic<std::int64_t> came_at{0};

bool ends(int number) { return number == SIGINT || number == SIGTERM; }

/// Calls nothing that a handler must not call.
void handle(int number) {
  const int error = errno;
  came_at.store(time(nullptr), std::memory_order_relaxed);
  came.store(number, std::memory_order_release);
  const bool takes_it = inside().entry && trace_file()->polled != 0;  // MPI may poll by functions that are not ours
  if (ends(number) && !takes_it) {
    nanosleep(&time_to_tell, nullptr);
    end_by(number);
  }
  errno = error;
}

/// A second signal of those that end the program ends it whatever it does.
void install(int number) {
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART | (ends(number) ? SA_RESETHAND | SA_NODEFER : 0);
  sigaction(number, &action, nullptr);
}

bool is_left_alone(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
}

}  // namespace

std::string Signal::name() const {
  const auto known = std::ranges::find(table::signals, number, &table::SignalName::number);
  return "SIG" + std::string(known->name);
}

void answer_to(int number, bool at_end) {
  for (const int end : {SIGINT, SIGTERM})
    if (at_end && is_left_alone(end)) install(end);
  if (number != 0) install(number);
}

bool has_signal() { return came.load(std::memory_order_relaxed) != 0; }

Signal taken_signal() {
  const int number = came.exchange(0, std::memory_order_acquire);
  return {number, ends(number), came_at.load(std::memory_order_relaxed)};
}

void end_by(int number) { raise(number); }

}  // namespace mpigraft::watch
