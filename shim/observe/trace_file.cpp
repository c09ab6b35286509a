// SPDX-License-Identifier: MIT
#include "shim/observe/trace_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "config/report/hang.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/observe/timeout.hpp"

namespace mpigraft::observe {
namespace {

using report::TraceFile;

constexpr std::int64_t gone = 2;  // in place of `finalized`: MPI_Finalize is over

std::string& folder() {
  static std::string& of_process = *new std::string;
  return of_process;
}

/// A process as /proc tells it.
struct Process {
  char name[32] = "";
  long parent = 0;
  unsigned long long began = 0;
};

Process process_of(long pid) {
  Process process;
  char path[64], text[1024] = "";
  std::snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  const char* const name = n > 0 ? std::strchr(text, '(') : nullptr;
  const char* const rest = n > 0 ? std::strrchr(text, ')') : nullptr;  // names may hold parentheses
  if (!name || !rest) return process;
  std::snprintf(process.name, sizeof process.name, "%.*s", static_cast<int>(rest - name - 1), name + 1);
  // state, parent, 17 others, start
  std::sscanf(rest + 2, "%*c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
              &process.parent, &process.began);
  return process;
}

/// The launcher's process on this node, which all its ranks descend from, with shells or debuggers between: the parent
/// where no ancestor has a launcher's name.
long launcher() {
  constexpr std::array<std::string_view, 6> names{"hydra_pmi_proxy", "pmi_proxy", "slurmstepd",
                                                  "orted",           "prted",     "palsd"};
  for (long pid = getppid(); pid > 1;) {
    const Process process = process_of(pid);
    if (std::ranges::find(names, std::string_view(process.name)) != names.end()) return pid;
    pid = process.parent;
  }
  return getppid();
}

/// A folder that the ranks of a node find without a word, as only they have this launcher. Empty: another user has it.
std::string private_folder() {
  const char* const temporary = secure_getenv("TMPDIR");
  const long pid = launcher();
  std::string name = temporary && *temporary ? temporary : "/tmp";
  name += "/mpigraft-" + std::to_string(geteuid()) + "-" + std::to_string(pid) + "-" +
          std::to_string(process_of(pid).began);
  mkdir(name.c_str(), 0700);
  struct stat is {};
  const bool mine = lstat(name.c_str(), &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid();
  return mine && (is.st_mode & (S_IWGRP | S_IWOTH)) == 0 ? name : "";
}

bool is_private() { return base::settings().trace.empty(); }

/// Written before it is mapped: where the disk is full, a store into a hole would end the program.
TraceFile* mapped(int fd, const TraceFile& first) {
  if (!base::write_without_signal(fd, {reinterpret_cast<const char*>(&first), sizeof first})) return nullptr;
  void* memory = mmap(nullptr, sizeof first, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<TraceFile*>(memory);
}

std::string file_of(int rank) { return folder() + "/rank-" + std::to_string(rank); }

/// Spawned jobs, whose ranks have the numbers of others, have none.
TraceFile* open_trace() {
  if (abi::comm_get_parent() != abi::Comm::null) return nullptr;
  const int rank = abi::comm_rank(abi::comm_world);
  TraceFile& first = *new TraceFile;  // too large for a stack
  first.mark = report::trace_mark;
  first.rank = rank;
  first.size = abi::comm_size(abi::comm_world);
  first.pid = getpid();
  folder() = is_private() ? private_folder() : base::settings().trace;
  mkdir(folder().c_str(), 0777);
  const std::string name = file_of(rank);
  unlink(name.c_str());  // not cut off: a process of another job may have it mapped
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, is_private() ? 0600 : 0666);
  TraceFile* file = fd < 0 ? nullptr : mapped(fd, first);
  if (!file)
    base::log_once((is_private() ? "MPIGRAFT_TIMEOUT: cannot write " : "MPIGRAFT_TRACE: cannot write ") + name + ": " +
                   std::strerror(errno));
  if (fd >= 0) close(fd);
  delete &first;
  return file;
}

}  // namespace

bool asks_for_trace() {
  static const bool asks = [] {
    bool found = false;
    base::without_memory_silent([&] { found = !base::settings().trace.empty() || base::settings().timeout > 0; });
    return found;
  }();
  return asks;
}

TraceFile* trace_file() {
  static TraceFile* const file = [] {
    TraceFile* opened = nullptr;
    base::without_memory_silent([&] {
      if (asks_for_trace()) opened = open_trace();
      if (opened) watch_waits();
    });
    return opened;
  }();
  return file;
}

const std::string& trace_folder() { return folder(); }

/// A rank that is through may be asked for by others that hang, so none goes before all are through.
void trace_over() {
  TraceFile* const file = asks_for_trace() && is_private() ? trace_file() : nullptr;
  if (!file) return;
  base::without_memory_silent([&] {
    const int fd = open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    flock(fd, LOCK_EX);
    file->finalized = gone;
    const report::Traces traces = report::read_traces(folder());
    if (std::ranges::all_of(traces, [](const auto& its) { return its.second.finalized == gone; })) {
      for (const auto& [rank, its] : traces) unlink(file_of(static_cast<int>(rank)).c_str());
      rmdir(folder().c_str());
    }
    close(fd);
  });
}

}  // namespace mpigraft::observe
