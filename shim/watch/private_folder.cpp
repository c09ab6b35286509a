// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

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

/// The paths of a folder's entries whose names start with `beginning`.
std::vector<std::string> entries(const std::string& folder, std::string_view beginning) {
  std::vector<std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder(opendir(folder.c_str()), closedir);
  while (const dirent* const entry = open_folder ? readdir(open_folder.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with(beginning)) found.push_back(folder + "/" + entry->d_name);
  return found;
}

bool is_left_behind(const std::string& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat is {};
  const bool old = fd >= 0 && fstat(fd, &is) == 0 && is.st_mtime + left_alone_for < time(nullptr);
  const bool left = old && flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (fd >= 0) close(fd);
  return left;
}

void remove_left_behind(const std::string& folder) {
  const std::vector<std::string> files = entries(folder, "rank-");
  if (files.empty() || !std::ranges::all_of(files, is_left_behind)) return;
  for (const std::string& file : files) unlink(file.c_str());
  rmdir(folder.c_str());
}

}  // namespace

std::string private_folder() {
  const char* const temporary = secure_getenv("TMPDIR");
  const std::string place = temporary && *temporary ? temporary : "/tmp";
  const std::string mine = "mpigraft-" + std::to_string(geteuid()) + "-";
  for (const std::string& folder : entries(place, mine)) remove_left_behind(folder);
  const long pid = launcher();
  const std::string name = place + "/" + mine + std::to_string(pid) + "-" + std::to_string(process_of(pid).began);
  mkdir(name.c_str(), 0700);
  struct stat is {};
  const bool owned = lstat(name.c_str(), &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid();
  return owned && (is.st_mode & (S_IWGRP | S_IWOTH)) == 0 ? name : "";
}

}  // namespace mpigraft::watch
