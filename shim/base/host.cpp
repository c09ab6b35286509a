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

/// Reads up to N - 1 bytes of a file into `text` and returns them as a C string; "" if the file cannot be read.
template <std::size_t N>
const char* read_small(const char* path, char (&text)[N]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, N - 1);
  if (fd >= 0) close(fd);
  text[std::max<ssize_t>(n, 0)] = '\0';
  return text;
}

/// Calls f(first, last) for each range in a list of processors such as "0-3,8". Both ends are inclusive.
template <class F>
void for_each_range(const char* list, F f) {
  for (char* end; *list >= '0' && *list <= '9'; list = *end == ',' ? end + 1 : end) {
    const long first = std::strtol(list, &end, 10);
    f(first, *end == '-' ? std::strtol(end + 1, &end, 10) : first);
  }
}

/// A digest of host name, boot id and IPC namespace. None suffices alone: hosts cloned from one image share the name,
/// containers under one kernel share the boot id, and only processes of one IPC namespace can share memory.
std::uint64_t host_id() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return table::digest(name, std::strlen(name), digest_of_boot("/proc/self/ns/ipc"));
}

/// The cores that a cgroup directory allows: quota divided by period, rounded up; 0: unlimited.
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

/// Calls look(directory) for each cgroup of this process under `controller`, from its own up to the root. Reads both
/// versions of cgroups.
template <class F>
void for_each_cgroup(const char* controller, F look) {
  char groups[2048];
  read_small("/proc/self/cgroup", groups);
  char* rest = groups;
  for (const char* line; (line = strsep(&rest, "\n")) && *line;) {
    const char* controllers = std::strchr(line, ':');
    const char* group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group) continue;
    const bool unified = group == controllers + 1;
    const std::size_t length = std::strlen(controller);
    const bool named = std::strncmp(controllers + 1, controller, length) == 0 &&
                       (controllers[1 + length] == ':' || controllers[1 + length] == ',');
    if (!unified && !named) continue;
    char directory[400];
    const int root =
        std::snprintf(directory, sizeof directory, "/sys/fs/cgroup%s%s", unified ? "" : "/", unified ? "" : controller);
    std::snprintf(directory + root, sizeof directory - static_cast<std::size_t>(root), "%s", group + 1);
    for (char* end; std::strlen(directory) >= static_cast<std::size_t>(root); *end = '\0') {
      look(directory);
      if (!(end = std::strrchr(directory + root, '/'))) break;
    }
  }
}

/// The tightest quota in cores; 0: there is none.
std::int64_t cgroup_quota() {
  std::int64_t tightest = 0;
  for_each_cgroup("cpu", [&](const char* directory) {
    const std::int64_t quota = quota_of(directory);
    if (quota > 0 && (tightest == 0 || quota < tightest)) tightest = quota;
  });
  return tightest;
}

/// The number of processors in a list such as "0-3,8".
std::int64_t processors_in(const char* list) {
  std::int64_t count = 0;
  for_each_range(list, [&](long first, long last) { count += last - first + 1; });
  return count;
}

/// The number of processors in this process's cpuset, which no affinity mask exceeds. Without a cpuset: in the machine.
std::int64_t cores_of_cpuset() {
  std::int64_t cores = 0;
  for_each_cgroup("cpuset", [&](const char* directory) {
    for (const char* file : {"cpuset.cpus.effective", "cpuset.effective_cpus"}) {
      char path[512], list[1024];
      std::snprintf(path, sizeof path, "%s/%s", directory, file);
      if (cores == 0) cores = processors_in(read_small(path, list));  // the process's own comes first
    }
  });
  return cores > 0 ? cores : sysconf(_SC_NPROCESSORS_ONLN);
}

/// The ranks on a node according to a list of srun's such as "8(x2),4"; 0: it does not tell.
std::int64_t tasks_on_node(const char* list, long node) {
  for (char* end = nullptr;; list = end + 1) {
    const std::int64_t tasks = std::strtoll(list, &end, 10);
    long nodes = 1;
    if (*end == '(') {
      if (std::sscanf(end, "(x%ld", &nodes) != 1 || !(end = std::strchr(end, ')'))) return 0;
      ++end;
    }
    if (node < nodes) return tasks;
    node -= nodes;
    if (*end != ',') return 0;
  }
}

/// The job's ranks on this host according to the launcher (hydra, Open MPI's mpirun, PMI, srun); 0: it does not tell.
std::int64_t ranks_that_launcher_tells() {
  for (const char* name : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_LOCAL_SIZE"})
    if (const char* ranks = std::getenv(name)) return std::atoll(ranks);
  const char *const tasks = std::getenv("SLURM_STEP_TASKS_PER_NODE"), *const node = std::getenv("SLURM_NODEID");
  return tasks && node ? tasks_on_node(tasks, std::atol(node)) : 0;
}

/// With task/affinity and no cpuset, srun binds ranks to the cores that it allotted to the job, to all of them if it
/// binds them to none in particular; `mine` are those of this rank.
bool are_all_that_slurm_allotted(std::int64_t mine) {
  const char* const allotted = std::getenv("SLURM_CPUS_ON_NODE");
  return allotted && std::atoll(allotted) == mine;
}

/// True if the processor list in the file at `path` contains all of `processors`.
bool lists_all(const char* path, const Processors& processors) {
  char list[4096];
  Processors left = processors;
  for_each_range(read_small(path, list), [&](long first, long last) {
    for (auto cpu = static_cast<std::size_t>(first); cpu <= static_cast<std::size_t>(last) && cpu < left.size(); ++cpu)
      left.reset(cpu);
  });
  return left.none();
}

/// The third-level cache that all of `processors` share, named by its first processor; else unknown_locality.
std::int64_t cache_of(const Processors& processors, const char* root) {
  std::size_t one = 0;
  while (!processors[one]) ++one;
  char path[256], text[4096];
  const auto file = [&](const char* name) {
    std::snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%zu/cache/index3/%s", root, one, name);
    return path;
  };
  if (*read_small(file("level"), text) != '3' || !lists_all(file("shared_cpu_list"), processors))
    return unknown_locality;
  return std::strtol(read_small(file("shared_cpu_list"), text), nullptr, 10);
}

/// The NUMA node that has all of `processors`; else unknown_locality.
std::int64_t memory_of(const Processors& processors, const char* root) {
  char path[256], online[1024];
  std::int64_t found = unknown_locality;
  std::snprintf(path, sizeof path, "%s/devices/system/node/online", root);
  for_each_range(read_small(path, online), [&](long first, long last) {
    for (long node = first; node <= last && found == unknown_locality; ++node) {
      std::snprintf(path, sizeof path, "%s/devices/system/node/node%ld/cpulist", root, node);
      if (lists_all(path, processors)) found = node;
    }
  });
  return found;
}

}  // namespace

std::uint64_t digest_of_boot(const char* of_namespace) {
  char text[256];
  const char* const boot = read_small("/proc/sys/kernel/random/boot_id", text);
  const std::uint64_t id = table::digest(boot, std::strlen(boot));
  const ssize_t n = readlink(of_namespace, text, sizeof text);
  return table::digest(text, static_cast<std::size_t>(std::max<ssize_t>(n, 0)), id);
}

Locality locality_of(const Processors& processors, const char* root) {
  if (processors.none()) return {};
  return {.cache = cache_of(processors, root), .memory = memory_of(processors, root)};
}

HostFacts host_facts() {
  // Read once, because these are many files, and a job stays in the cgroup that it was started in.
  static const std::int64_t quota = cgroup_quota(), cores = cores_of_cpuset();
  HostFacts facts;
  facts.host = host_id();
  facts.quota = quota;
  facts.cores = cores;
  facts.ranks_on_host = ranks_that_launcher_tells();
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (std::size_t cpu = 0; cpu < facts.cpus.size(); ++cpu) facts.cpus[cpu] = CPU_ISSET(cpu, &mask);
  if (are_all_that_slurm_allotted(CPU_COUNT(&mask))) facts.cores = CPU_COUNT(&mask);
  // Found once, because launchers bind ranks before they start them.
  static const Locality locality = locality_of(facts.cpus);
  facts.cache = locality.cache;
  facts.memory = locality.memory;
  return facts;
}

}  // namespace mpigraft::base
