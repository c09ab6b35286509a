// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "config/report/hang.hpp"
#include "config/table/settings.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/files.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/watch/traced_call.hpp"

namespace mpigraft::watch {
namespace {

using report::TraceEntry;
using report::TraceFile;

constexpr std::int64_t between_ns = 100'000'000;  // from one time that a thread notices to the next

std::atomic<TraceFile*> watched{nullptr};  // this rank's file, from watch_waits() on

constexpr timespec time_to_tell{1, 0};  // for ranks that wait, before this one ends the job

std::atomic<int> came{0};
std::atomic<std::int64_t> came_at{0};

bool ends(int number) { return number == SIGINT || number == SIGTERM; }

/// Calls nothing that a handler must not call. Before this rank's file is open, a signal is only kept from ending it.
void handle(int number) {
  const int error = errno;
  const TraceFile* const mine = watched;
  if (!mine) return;
  came_at.store(time(nullptr), std::memory_order_relaxed);
  came.store(number, std::memory_order_release);
  const bool is_rank = getpid() == mine->pid;            // else a child of it
  const bool polls = mine->polled + 1 >= time(nullptr);  // not by functions that are not ours, nor in an operator
  if (ends(number) && !(is_rank && polls && inside().entry)) {
    if (is_rank) nanosleep(&time_to_tell, nullptr);
    raise(number);
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

/// Notes in the ranks' files that their calls were told, so that they do not tell them again. A file may be gone.
void mark_as_told(const report::Traces& traces) {
  for (const auto& [rank, file] : traces) {
    std::int64_t marks[] = {file.told, time(nullptr)};
    static_assert(offsetof(TraceFile, told_at) == offsetof(TraceFile, told) + sizeof marks[0]);
    for (const TraceEntry& entry : file.entries)
      if (entry.left == 0 && entry.number > marks[0]) marks[0] = entry.number;
    const table::Descriptor opened(open(trace_file_of(rank).c_str(), O_WRONLY | O_CLOEXEC));
    if (opened.fd < 0) continue;
    if (pwrite(opened.fd, marks, sizeof marks, offsetof(TraceFile, told)) < 0) errno = 0;  // then it is told twice
  }
}

/// Tells nothing once another job writes into the same folder.
void explain(const std::string& cause) {
  const report::Traces traces = report::read_traces(trace_folder());
  const auto mine = traces.find(trace_file()->rank);
  if (mine == traces.end() || mine->second.pid != trace_file()->pid) return;
  mark_as_told(traces);
  std::string text = report::explain_hang(traces).text;
  text.pop_back();
  base::log("rank " + std::to_string(trace_file()->rank) + " " + cause + ":\n" + text);
}

/// Tells of a long wait, unless another rank or thread tells or has told: of all waits up to `told`.
void tell_wait(TraceFile& mine, std::int64_t number) {
  const base::FolderLock lock(trace_folder(), base::FolderLock::not_at_all);
  std::atomic_ref told(mine.told);
  if (!lock.mine() || told >= number) return;
  told = number;
  explain("has waited for " + std::to_string(base::settings().timeout) +
          " seconds (MPIGRAFT_TIMEOUT), and goes on waiting");
}

/// All ranks may get the signal at the same time. One tells, and the others wait for it, because the end of one rank
/// ends the job. A signal that ends the program adds nothing to a hang that was told.
void tell_signal(int number, std::int64_t came_then) {
  const base::FolderLock lock(trace_folder(), base::FolderLock::without_end);
  TraceFile& mine = *trace_file();
  const Inside now = inside();
  const bool is_known = ends(number) && now.entry && std::atomic_ref(mine.told) >= now.entry->number;
  if (is_known || std::atomic_ref(mine.told_at) + 1 >= came_then) return;
  const auto known = std::ranges::find(table::signals, number, &table::SignalName::number);
  explain("got the signal SIG" + std::string(known->name));
}

/// Answers the signal that has come, if any.
void answer_signal() {
  const int number = came.exchange(0, std::memory_order_acquire);
  if (number == 0) return;
  base::ignore_bad_alloc([&] { tell_signal(number, came_at.load(std::memory_order_relaxed)); });
  if (ends(number)) raise(number);
}

void notice_wait(std::int64_t now_ns) {
  TraceFile& mine = *trace_file();
  std::atomic_ref(mine.polled).store(time(nullptr), std::memory_order_relaxed);
  const Inside now = inside();
  if (!now.entry || base::settings().timeout <= 0 || std::atomic_ref(mine.told) >= now.entry->number) return;
  const std::chrono::nanoseconds waited(now_ns - now.since);
  if (waited < std::chrono::seconds(base::settings().timeout)) return;
  base::ignore_bad_alloc([&] { tell_wait(mine, now.entry->number); });
}

/// A clock that costs some nanoseconds.
std::int64_t coarse_now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

/// Handles the signal of MPIGRAFT_SIGNAL, and with a timeout, SIGINT and SIGTERM unless the program or its parent did
/// something about them. One that ends the program ends it still: at once, or after a moment if this rank waits in a
/// call, which is to take the signal.
void watch_waits(TraceFile& mine) {
  watched = &mine;
  const table::Settings& settings = base::settings();
  for (const int end : {SIGINT, SIGTERM})
    if (settings.timeout > 0 && is_left_alone(end)) install(end);
  if (settings.signal != 0) install(settings.signal);
}

/// The signal may come to a rank before its first call, or to a shell between the launcher and the rank, which it would
/// end. Without it nothing is read at load: a program may still set variables.
[[gnu::constructor]] void at_load() {
  if (!secure_getenv("MPIGRAFT_SIGNAL") || !asks_for_trace()) return;
  const int number = base::settings().signal;
  if (number != 0 && !ends(number) && is_left_alone(number)) install(number);
}

void notice_look() {
  if (!watched.load(std::memory_order_relaxed)) return;
  notice_end();
  [[gnu::tls_model("initial-exec")]] static constinit thread_local std::int64_t noticed = 0;
  const std::int64_t now = coarse_now_ns();
  if (now - noticed < between_ns) return;
  noticed = now;
  notice_wait(now);
}

void notice_end() {
  if (came.load(std::memory_order_relaxed) != 0) [[unlikely]]
    answer_signal();
}

}  // namespace mpigraft::watch
