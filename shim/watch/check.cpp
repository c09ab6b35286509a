// SPDX-License-Identifier: MIT
// MPIGRAFT_CHECK compares the calls that ranks of a node make together, by the ranks' traces.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "config/report/hang.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/files.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/watch/traced_call.hpp"

namespace mpigraft::watch {
namespace {

using report::Together;
using report::TraceEntry;
using report::TraceFile;

/// Maps the file of a rank. Null if it has none yet, or if its process is over: then the file is of another job.
const TraceFile* mapped_of(std::int64_t rank) {
  const table::Descriptor opened(open(trace_file_of(rank).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const int fd = opened.fd;
  if (fd < 0) return nullptr;
  struct stat is {};
  const bool lives = flock(fd, LOCK_EX | LOCK_NB) != 0;
  const bool whole = fstat(fd, &is) == 0 && is.st_size >= static_cast<off_t>(sizeof(TraceFile));
  void* const memory = lives && whole ? mmap(nullptr, sizeof(TraceFile), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  return memory == MAP_FAILED ? nullptr : static_cast<const TraceFile*>(memory);
}

std::mutex mutex;

/// True if the folder has changed since the last look, or may have then: its time is coarse, and files that are new may
/// not be locked yet. Ranks of other nodes never have files in a private folder.
bool may_have_new_files() {
  constexpr std::int64_t settles = 2'000'000'000;  // ns
  static timespec changed{};
  static std::int64_t seen = 0;
  static bool settled = false;
  struct stat is {};
  stat(trace_folder().c_str(), &is);
  const std::int64_t at = base::now_ns();
  if (is.st_mtim.tv_sec != changed.tv_sec || is.st_mtim.tv_nsec != changed.tv_nsec)
    changed = is.st_mtim, seen = at, settled = false;
  return !std::exchange(settled, at - seen > settles);
}

/// The files by rank. Looks for those that were not there yet.
const std::vector<const TraceFile*>& files() {
  static auto& all = *new std::vector<const TraceFile*>(static_cast<std::size_t>(trace_file()->size));
  if (!may_have_new_files()) return all;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank]) all[rank] = mapped_of(static_cast<std::int64_t>(rank));
  return all;
}

/// Loads a number that another process may be changing.
std::int64_t now(const std::int64_t& number) {
  return std::atomic_ref(const_cast<std::int64_t&>(number)).load(std::memory_order_acquire);
}

/// Copies to `theirs` a rank's entry of the same call as `mine`. Returns false if it has no complete one.
bool find(const TraceFile& file, const TraceEntry& mine, TraceEntry& theirs) {
  const std::int64_t made = now(file.made);
  constexpr auto kept = static_cast<std::int64_t>(report::traced_calls);
  for (std::int64_t number = made; number > 0 && number + kept > made; --number) {
    const TraceEntry& entry = file.entries[static_cast<std::size_t>(number - 1) % report::traced_calls];
    if (now(entry.number) != number) continue;
    theirs = entry;
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool together = theirs.together == Together::ranks || theirs.together == Together::alike;
    if (now(entry.number) != number || !together || theirs.comm.name != mine.comm.name) continue;
    if (theirs.call <= mine.call) return theirs.call == mine.call;
  }
  return false;
}

void tell(const TraceEntry& mine, const TraceEntry& theirs, std::size_t rank, const std::string& what) {
  const base::FolderLock lock(trace_folder(), base::FolderLock::without_end);
  const auto mark = static_cast<std::int64_t>(mark_of(mine.comm, mine.call));
  for (const TraceFile* const file : files())
    if (file && now(file->mismatched) == mark) return;
  std::atomic_ref(trace_file()->mismatched).store(mark, std::memory_order_release);
  base::log("MPIGRAFT_CHECK: in call " + std::to_string(mine.call) + " of " + report::communicator_of(mine) +
            ", ranks differ in " + what + ", which must be the same at all ranks\n  rank " +
            std::to_string(trace_file()->rank) + ": " + report::words_of(mine) + "\n  rank " + std::to_string(rank) +
            ": " + report::words_of(theirs));
}

void compare(const TraceEntry& mine) {
  const std::lock_guard lock(mutex);
  TraceEntry theirs;
  const std::vector<const TraceFile*>& all = files();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank] || static_cast<std::int64_t>(rank) == trace_file()->rank || !find(*all[rank], mine, theirs))
      continue;
    const std::string what = report::differences(mine, theirs);
    if (!what.empty()) return tell(mine, theirs, rank, what);
  }
}

}  // namespace

/// Because of the fence, at least one of two ranks that come at the same time sees the other's entry.
void check_call(const TraceEntry& entry) {
  if (!base::settings().check || (entry.together != Together::ranks && entry.together != Together::alike)) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  base::ignore_bad_alloc([&] { compare(entry); });
}

}  // namespace mpigraft::watch
