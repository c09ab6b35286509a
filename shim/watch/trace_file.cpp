// SPDX-License-Identifier: MIT
#include "shim/watch/trace_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "config/report/hang.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/files.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/watch/traced_handles.hpp"

namespace mpigraft::watch {
namespace {

using report::TraceFile;

constexpr std::int64_t gone = 2;  // a value of `finalized`: MPI_Finalize is over

TraceFile* opened_file = nullptr;

const std::int64_t loaded = time(nullptr);

bool is_private() { return base::settings().trace.empty(); }

/// Maps the file. It is written first, because on a full disk a store into a hole would end the program.
TraceFile* mapped(int fd, const TraceFile& first) {
  if (!table::write_without_signal(fd, {reinterpret_cast<const char*>(&first), sizeof first})) return nullptr;
  void* memory = mmap(nullptr, sizeof first, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<TraceFile*>(memory);
}

/// Makes the folder of the job's files. Returns false if there is none.
bool make_folder() {
  if (trace_folder().empty())
    base::log_once(
        "MPIGRAFT_TIMEOUT, MPIGRAFT_CHECK: cannot make a folder for traces in TMPDIR or /tmp; set MPIGRAFT_TRACE to a "
        "folder that you can write to");
  else
    mkdir(trace_folder().c_str(), 0777);
  return !trace_folder().empty();
}

/// Makes this rank's file, locked as long as this process lives; null if that fails.
TraceFile* make_file(const TraceFile& first) {
  const std::string name = trace_file_of(first.rank);
  unlink(name.c_str());  // O_TRUNC would not do, because a process of another job may have it mapped
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, is_private() ? 0600 : 0666);
  TraceFile* const file = fd < 0 ? nullptr : mapped(fd, first);
  if (file) {
    flock(fd, LOCK_SH);  // the file stays open
    return file;
  }
  base::log_once((is_private() ? "MPIGRAFT_TIMEOUT, MPIGRAFT_CHECK: cannot write " : "MPIGRAFT_TRACE: cannot write ") +
                 name + ": " + std::strerror(errno));
  if (fd >= 0) close(fd), unlink(name.c_str());
  if (is_private()) rmdir(trace_folder().c_str());
  return nullptr;
}

/// Opens this rank's file; null if that fails. Spawned jobs get none, because their ranks have the numbers of other
/// ranks.
TraceFile* open_trace() {
  if (abi::was_spawned()) return nullptr;
  const auto first = std::make_unique<TraceFile>();
  first->mark = report::trace_mark;
  first->rank = abi::comm_rank(abi::comm_world);
  first->size = abi::comm_size(abi::comm_world);
  first->pid = getpid();
  first->loaded = loaded;
  TraceFile* const file = make_folder() ? make_file(*first) : nullptr;
  if (!file) return nullptr;
  abi::make_own_comm();
  abi::Refused unexpected;
  traced_comm(abi::comm_self, unexpected);  // so that the end of MPI is noticed
  return file;
}

}  // namespace

/// Ends the trace of a program whose MPI_Finalize we did not intercept: that of mpi_f08 calls PMPI. The file of a
/// program that ends without MPI_Finalize stays, because it may be part of a hang.
[[gnu::destructor]] void at_exit() {
  if (opened_file && opened_file->finalized != 0) trace_over();
}

bool asks_for_trace() {
  static const bool asks = base::ask_settings(table::ask_to_watch);
  return asks;
}

TraceFile* trace_file() {
  static TraceFile* const file = [] {
    TraceFile* opened = nullptr;
    base::ignore_bad_alloc([&] {
      if (asks_for_trace()) opened = open_trace();
      if (opened) watch_waits(*opened);
      opened_file = opened;
    });
    return opened;
  }();
  return file;
}

const std::string& trace_folder() {
  static const std::string& folder =
      *new std::string(is_private() ? base::from_start(private_folder()) : base::settings().trace);
  return folder;
}

std::string trace_file_of(std::int64_t rank) { return trace_folder() + "/rank-" + std::to_string(rank); }

/// Removes the files of all ranks only once all are through, because a hang may concern a rank that is through.
void trace_over() {
  TraceFile* const file = opened_file;
  if (!file || !is_private() || file->finalized == gone || file->pid != getpid()) return;
  base::ignore_bad_alloc([&] {
    const base::FolderLock lock(trace_folder(), base::FolderLock::without_end);
    if (!lock.mine()) return;
    file->finalized = gone;
    const report::Traces traces = report::read_traces(trace_folder());
    if (std::ranges::all_of(traces, [](const auto& trace) { return trace.second.finalized == gone; })) {
      for (const auto& [rank, trace] : traces) unlink(trace_file_of(rank).c_str());
      rmdir(trace_folder().c_str());
    }
  });
}

}  // namespace mpigraft::watch
