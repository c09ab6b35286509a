// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "shim/abi/functions.hpp"
#include "shim/base/files.hpp"
#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {
namespace {

constexpr time_t left_alone_for = 60;  // seconds since the last write, before a file without a lock is removed

/// Facts about a process from /proc.
struct Process {
  char name[32] = "";
  long parent = 0;
  unsigned long long began = 0;
};

Process process_of(long pid) {
  Process process;
  const base::Content content = base::content_of("/proc/%ld/stat", pid);
  const char* const name = std::strchr(content.text, '(');
  const char* const rest = std::strrchr(content.text, ')');  // names may hold parentheses
  if (!name || !rest) return process;
  std::snprintf(process.name, sizeof process.name, "%.*s", static_cast<int>(rest - name - 1), name + 1);
  // state, parent, 17 others, start
  std::sscanf(rest + 2, "%*c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
              &process.parent, &process.began);
  return process;
}

/// The launcher's process on this node. All its ranks descend from it, perhaps through shells or debuggers; on its own
/// node, Open MPI's mpirun is that process. It is the parent process if no ancestor has a launcher's name.
long launcher() {
  constexpr std::array<std::string_view, 10> names{"hydra_pmi_proxy", "pmi_proxy", "slurmstepd", "palsd",  "orted",
                                                   "prted",           "orterun",   "prterun",    "mpirun", "mpiexec"};
  for (long pid = getppid(); pid > 1;) {
    const Process process = process_of(pid);
    const std::string_view name = process.name;  // such as mpirun.openmpi
    if (std::ranges::any_of(names, [&](std::string_view known) { return name.starts_with(known); })) return pid;
    pid = process.parent;
  }
  return getppid();
}

bool is_left_behind(const std::string& file) {
  const table::Descriptor opened(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat is {};
  const bool old = opened.fd >= 0 && fstat(opened.fd, &is) == 0 && is.st_mtime + left_alone_for < time(nullptr);
  return old && flock(opened.fd, LOCK_EX | LOCK_NB) == 0;
}

void remove_left_behind(const std::string& folder) {
  std::vector<std::string> files = table::names_in(folder, "rank-");
  for (std::string& file : files) file.insert(0, folder + "/");
  if (files.empty() || !std::ranges::all_of(files, is_left_behind)) return;
  for (const std::string& file : files) unlink(file.c_str());
  rmdir(folder.c_str());
}

}  // namespace

std::string private_folder() {
  const char* const temporary = secure_getenv("TMPDIR");
  const std::string place = temporary && *temporary ? temporary : "/tmp";
  const std::string mine = "mpigraft-" + std::to_string(geteuid()) + "-";
  for (const std::string& folder : table::names_in(place, mine)) remove_left_behind(place + "/" + folder);
  const bool alone = abi::comm_size(abi::comm_world) == 1;  // perhaps without a launcher
  const long pid = alone ? getpid() : launcher();
  const std::string name = place + "/" + mine + std::to_string(pid) + "-" + std::to_string(process_of(pid).began);
  mkdir(name.c_str(), 0700);
  struct stat is {};
  const bool owned = lstat(name.c_str(), &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid();
  return owned && (is.st_mode & (S_IWGRP | S_IWOTH)) == 0 ? name : "";
}

}  // namespace mpigraft::watch
