// SPDX-License-Identifier: MIT
#include "shim/observe/timeout.hpp"

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
#include "shim/observe/telling.hpp"
#include "shim/observe/trace.hpp"
#include "shim/wait/watch.hpp"

namespace mpigraft::observe {
namespace {

using report::TraceEntry;
using report::TraceFile;

/// Notes in the ranks' files that the calls in which they wait were reported, so that they do not report them again. A
/// rank's file may be gone.
void mark_as_told(const report::Traces& traces) {
  for (const auto& [rank, file] : traces) {
    std::int64_t told = 0;
    for (const TraceEntry& entry : file.entries)
      if (entry.left == 0 && entry.number > told) told = entry.number;
    if (told == 0) continue;
    const int fd = open((trace_folder() + "/rank-" + std::to_string(rank)).c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) continue;
    if (pwrite(fd, &told, sizeof told, offsetof(TraceFile, told)) < 0) errno = 0;  // then it is told twice
    close(fd);
  }
}

void tell(TraceFile& mine, std::int64_t number) {
  const Telling telling(Telling::at_once);
  std::atomic_ref told(mine.told);
  if (!telling.mine() || told == number) return;  // another rank tells, or has told
  told = number;
  const report::Traces traces = report::read_traces(trace_folder());
  if (traces.empty() || !report::of_one_job(traces)) return;
  mark_as_told(traces);
  std::string text = report::explain_hang(traces).text;
  text.pop_back();
  base::log("rank " + std::to_string(mine.rank) + " has waited for " + std::to_string(base::settings().timeout) +
            " seconds (MPIGRAFT_TIMEOUT), and goes on waiting:\n" + text);
}

/// Called during waits, also in MPI's own, so it must not call any function of MPI.
void notice() {
  TraceFile& mine = *trace_file();
  std::atomic_ref(mine.looked).store(time(nullptr), std::memory_order_relaxed);
  const Inside now = inside();
  if (!now.entry || base::settings().timeout <= 0 || std::atomic_ref(mine.told) == now.entry->number) return;
  const std::chrono::nanoseconds waited(base::now_ns() - now.since);
  if (waited < std::chrono::seconds(base::settings().timeout)) return;
  base::without_memory_silent([&] { tell(mine, now.entry->number); });
}

}  // namespace

void watch_waits() { wait::watch = notice; }

}  // namespace mpigraft::observe
