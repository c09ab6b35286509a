// SPDX-License-Identifier: MIT
#include "shim/watch/waits.hpp"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "config/report/hang.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/watch/report_lock.hpp"
#include "shim/watch/signals.hpp"
#include "shim/watch/traced_call.hpp"

namespace mpigraft::watch {
namespace {

using report::TraceEntry;
using report::TraceFile;

constexpr std::int64_t between_ns = 100'000'000;  // from one time that a thread notices to the next

std::atomic<bool> watches{false};

/// Notes in the ranks' files that their calls were told, so that they do not tell them again. A file may be gone.
void mark_as_told(const report::Traces& traces) {
  for (const auto& [rank, file] : traces) {
    std::int64_t marks[] = {file.told, time(nullptr)};
    static_assert(offsetof(TraceFile, told_at) == offsetof(TraceFile, told) + sizeof marks[0]);
    for (const TraceEntry& entry : file.entries)
      if (entry.left == 0 && entry.number > marks[0]) marks[0] = entry.number;
    const int fd = open((trace_folder() + "/rank-" + std::to_string(rank)).c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) continue;
    if (pwrite(fd, marks, sizeof marks, offsetof(TraceFile, told)) < 0) errno = 0;  // then it is told twice
    close(fd);
  }
}

void explain(const std::string& cause) {
  const report::Traces traces = report::read_traces(trace_folder());
  if (traces.empty() || !report::of_one_job(traces)) return;
  mark_as_told(traces);
  std::string text = report::explain_hang(traces).text;
  text.pop_back();
  base::log("rank " + std::to_string(trace_file()->rank) + " " + cause + ":\n" + text);
}

/// Tells of a long wait, unless another rank tells or has told.
void tell_wait(TraceFile& mine, std::int64_t number) {
  const ReportLock lock(ReportLock::at_once);
  std::atomic_ref told(mine.told);
  if (!lock.mine() || told == number) return;
  told = number;
  explain("has waited for " + std::to_string(base::settings().timeout) +
          " seconds (MPIGRAFT_TIMEOUT), and goes on waiting");
}

/// All ranks may get the signal at the same time. One tells, and the others wait for it, because the end of one rank
/// ends the job. A signal that ends the program adds nothing to a hang that was told.
void tell_signal(const Signal& signal) {
  const ReportLock lock(ReportLock::waits);
  TraceFile& mine = *trace_file();
  const Inside now = inside();
  const bool is_known = signal.ends && now.entry && std::atomic_ref(mine.told) == now.entry->number;
  if (is_known || std::atomic_ref(mine.told_at) + 1 >= signal.came) return;
  explain("got the signal " + signal.name());
}

void answer_signal() {
  const Signal signal = taken_signal();
  if (signal.number == 0) return;
  base::ignore_bad_alloc([&] { tell_signal(signal); });
  if (signal.ends) end_by(signal.number);
}

void notice_wait(std::int64_t now_ns) {
  TraceFile& mine = *trace_file();
  std::atomic_ref(mine.polled).store(time(nullptr), std::memory_order_relaxed);
  const Inside now = inside();
  if (!now.entry || base::settings().timeout <= 0 || std::atomic_ref(mine.told) == now.entry->number) return;
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

void watch_waits() {
  const table::Settings& settings = base::settings();
  answer_to(settings.signal, settings.timeout > 0);
  watches = true;
}

void notice_look() {
  if (!watches.load(std::memory_order_relaxed)) return;
  if (has_signal()) [[unlikely]]
    answer_signal();
  [[gnu::tls_model("initial-exec")]] static constinit thread_local std::int64_t noticed = 0;
  const std::int64_t now = coarse_now_ns();
  if (now - noticed < between_ns) return;
  noticed = now;
  notice_wait(now);
}

void notice_end() {
  if (has_signal()) [[unlikely]]
    answer_signal();
}

}  // namespace mpigraft::watch
