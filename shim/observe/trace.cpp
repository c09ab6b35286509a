// SPDX-License-Identifier: MIT
#include "shim/observe/trace.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/host.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::observe {

using report::TraceFile;

namespace {

std::atomic<std::int64_t> entries_made{0};

template <std::size_t n>
void put(report::TraceText<n>& into, std::string_view text) {
  into = {};
  text.copy(into.data(), n);
}

/// Written before it is mapped: where the disk is full, a store into a hole would end the program.
TraceFile* mapped(int fd, const TraceFile& first) {
  if (!base::write_without_signal(fd, {reinterpret_cast<const char*>(&first), sizeof first})) return nullptr;
  void* memory = mmap(nullptr, sizeof first, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<TraceFile*>(memory);
}

TraceFile* open_trace(const std::string& folder) {
  if (abi::comm_get_parent() != abi::Comm::null) return nullptr;
  const int rank = abi::comm_rank(abi::comm_world);
  TraceFile first;
  first.mark = report::trace_mark;
  first.rank = rank;
  first.size = abi::comm_size(abi::comm_world);
  first.pid = getpid();
  mkdir(folder.c_str(), 0777);
  const std::string name = folder + "/rank-" + std::to_string(rank);
  unlink(name.c_str());  // not cut off: a process of another job may have it mapped
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  TraceFile* file = fd < 0 ? nullptr : mapped(fd, first);
  if (!file) base::log_once("MPIGRAFT_TRACE: cannot write " + name + ": " + std::strerror(errno));
  if (fd >= 0) close(fd);
  return file;
}

/// Null without MPIGRAFT_TRACE, and where the file cannot be. Asked only while MPI is up.
TraceFile* trace() {
  static TraceFile* const file = [] {
    TraceFile* opened = nullptr;
    base::without_memory_silent([&] {
      if (!base::settings().trace.empty()) opened = open_trace(base::settings().trace);
    });
    return opened;
  }();
  return file;
}

report::TraceEntry* next_entry(TraceFile& file) {
  const std::int64_t number = entries_made.fetch_add(1) + 1;
  report::TraceEntry& entry = file.entries[static_cast<std::size_t>(number - 1) % report::traced_calls];
  entry = {};
  entry.number = number;
  entry.entered = time(nullptr);
  return &entry;
}

/// Names a communicator by its members: all ranks find the same before they have agreed on anything.
void name_by_members(report::TraceEntry& entry, abi::Comm comm) {
  abi::Group mine = abi::comm_group(comm), world = abi::comm_group(abi::comm_world);
  std::uint64_t members = table::digest(nullptr, 0);
  bool in_order = true;
  for (int rank = 0, there = 0; rank < entry.comm_size; ++rank) {
    abi::group_translate_ranks(mine, 1, &rank, world, &there);
    members = table::digest(reinterpret_cast<const char*>(&there), sizeof there, members);
    in_order = in_order && there == rank;
  }
  abi::group_free(mine);
  abi::group_free(world);
  entry.world_order = in_order;
  char name[sizeof entry.comm + 1];
  std::snprintf(name, sizeof name, "members %016llx", static_cast<unsigned long long>(members));
  put(entry.comm, comm == abi::comm_world ? "MPI_COMM_WORLD" : name);
}

/// Only agreed names tell communicators of the same members apart; one that stays native has none.
void name(const agree::Agreement& agreed, Seen& seen, report::TraceEntry& entry) {
  name_by_members(entry, agreed.comm);
  const std::string_view name = agreed.name.data();
  if (agreed.comm != abi::comm_world && !name.empty()) put(entry.comm, name.substr(name.find(':') + 1));
  seen.name = entry.comm;
  seen.world_order = entry.world_order;
}

}  // namespace

Traced::Traced(abi::Comm comm, int calls_before) {
  TraceFile* file = trace();
  if (!file || abi::comm_is_inter(comm)) return;  // an intercommunicator has nothing to agree on
  entry_ = next_entry(*file);
  entry_->call = calls_before > 0 ? calls_before + 1 : 0;
  entry_->comm_rank = abi::comm_rank(comm);
  entry_->comm_size = abi::comm_size(comm);
  name_by_members(*entry_, comm);
}

Traced::Traced(const agree::Agreement& agreed, Seen& seen, const abi::Call& call, const operation::Decision& decision) {
  TraceFile* file = trace();
  if (!file) return;
  entry_ = next_entry(*file);
  entry_->call = ++seen.calls;
  entry_->comm_rank = agreed.rank;
  entry_->comm_size = agreed.size;
  if (seen.name.front() == '\0') name(agreed, seen, *entry_);
  entry_->comm = seen.name;
  entry_->world_order = seen.world_order;
  entry_->collective = static_cast<std::int32_t>(call.collective);
  entry_->bytes = call.bytes;
  put(entry_->algorithm, name_of(decision.choice));
}

Traced::~Traced() {
  if (entry_) entry_->left = time(nullptr);
}

void trace_end() {
  if (TraceFile* file = trace()) file->finalized = 1;
}

}  // namespace mpigraft::observe
