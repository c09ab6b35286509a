// SPDX-License-Identifier: MIT
#include "shim/base/host.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mpigraft::base {
namespace {

/// The beginning of a small file of the kernel, as a C string; "" where it cannot be read.
template <std::size_t N>
const char* read_small(const char* path, char (&text)[N]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, N - 1);
  if (fd >= 0) close(fd);
  text[std::max<ssize_t>(n, 0)] = '\0';
  return text;
}

/// Containers of one kernel share the boot id, hosts cloned from one image the name; the IPC namespace tells who can
/// share memory.
std::uint64_t host_id() {
  char text[256] = "";
  gethostname(text, sizeof text - 1);
  std::uint64_t id = table::digest(text, std::strlen(text));
  read_small("/proc/sys/kernel/random/boot_id", text);
  id = table::digest(text, std::strlen(text), id);
  const ssize_t n = readlink("/proc/self/ns/ipc", text, sizeof text);
  return table::digest(text, static_cast<std::size_t>(std::max<ssize_t>(n, 0)), id);
}

/// Cores of one cgroup directory: quota over period, rounded up; 0 where unlimited.
std::int64_t quota_of(const char* directory) {
  char path[512], text[64];
  long long quota = 0, period = 0;
  std::snprintf(path, sizeof path, "%s/cpu.max", directory);
  if (std::sscanf(read_small(path, text), "%lld %lld", &quota, &period) != 2) {
    std::snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    quota = std::atoll(read_small(path, text));
    std::snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    period = std::atoll(read_small(path, text));
  }
  return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

/// The tightest quota from the process's cgroup up to the root, for both cgroup versions.
std::int64_t cgroup_quota() {
  char groups[2048];
  read_small("/proc/self/cgroup", groups);
  std::int64_t tightest = 0;
  char* rest = groups;
  for (const char* line; (line = strsep(&rest, "\n")) && *line;) {
    const char* controllers = std::strchr(line, ':');
    const char* group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group) continue;
    const bool unified = std::strncmp(controllers, "::", 2) == 0;
    if (!unified && !std::strstr(controllers, "cpu:") && !std::strstr(controllers, "cpu,")) continue;
    char directory[400];
    const int root = std::snprintf(directory, sizeof directory, "/sys/fs/cgroup%s", unified ? "" : "/cpu");
    std::snprintf(directory + root, sizeof directory - static_cast<std::size_t>(root), "%s", group + 1);
    for (char* end; std::strlen(directory) >= static_cast<std::size_t>(root); *end = '\0') {
      const std::int64_t quota = quota_of(directory);
      if (quota > 0 && (tightest == 0 || quota < tightest)) tightest = quota;
      if (!(end = std::strrchr(directory + root, '/'))) break;
    }
  }
  return tightest;
}

}  // namespace

HostFacts host_facts() {
  HostFacts facts;
  facts.host = host_id();
  facts.quota = cgroup_quota();
  facts.cores_online = sysconf(_SC_NPROCESSORS_ONLN);
  if (const char* ranks = std::getenv("MPI_LOCALNRANKS")) facts.ranks_on_host = std::atoll(ranks);
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (std::size_t cpu = 0; cpu < 1024; ++cpu)
      if (CPU_ISSET(cpu, &mask)) facts.cpus[cpu / 64] |= std::uint64_t{1} << (cpu % 64);
  return facts;
}

}  // namespace mpigraft::base
