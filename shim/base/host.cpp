// SPDX-License-Identifier: MIT
#include "shim/base/host.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shim/base/files.hpp"

namespace mpigraft::base {
namespace {

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
  long long quota = 0, period = 0;
  if (std::sscanf(content_of("%s/cpu.max", directory).text, "%lld %lld", &quota, &period) != 2) {
    quota = std::atoll(content_of("%s/cpu.cfs_quota_us", directory).text);
    period = std::atoll(content_of("%s/cpu.cfs_period_us", directory).text);
  }
  return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

/// Calls look(directory) for each cgroup of this process under `controller`, from its own up to the root. Reads both
/// versions of cgroups.
template <class F>
void for_each_cgroup(const char* controller, F look) {
  Content groups = content_of("/proc/self/cgroup");
  char* rest = groups.text;
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

std::int64_t processors_in(const char* list) {
  std::int64_t count = 0;
  for_each_range(list, [&](long first, long last) { count += last - first + 1; });
  return count;
}

/// The number of processors in this process's cpuset, which no affinity mask exceeds. Without a cpuset: in the machine.
std::int64_t cores_of_cpuset() {
  std::int64_t cores = 0;
  for_each_cgroup("cpuset", [&](const char* directory) {
    for (const char* file : {"cpuset.cpus.effective", "cpuset.effective_cpus"})
      if (cores == 0)
        cores = processors_in(content_of("%s/%s", directory, file).text);  // the process's own comes first
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

bool lists_all(const Content& list, const Processors& processors) {
  Processors left = processors;
  for_each_range(list.text, [&](long first, long last) {
    for (auto cpu = static_cast<std::size_t>(first); cpu <= static_cast<std::size_t>(last) && cpu < left.size(); ++cpu)
      left.reset(cpu);
  });
  return left.none();
}

/// The third-level cache that all of `processors` share, named by its first processor; else unknown_locality.
std::int64_t cache_of(const Processors& processors, const char* root) {
  std::size_t one = 0;
  while (!processors[one]) ++one;
  const auto file = [&](const char* name) {
    return content_of("%s/devices/system/cpu/cpu%zu/cache/index3/%s", root, one, name);
  };
  const Content sharing = file("shared_cpu_list");
  const bool is_known = *file("level").text == '3' && lists_all(sharing, processors);
  return is_known ? std::strtol(sharing.text, nullptr, 10) : unknown_locality;
}

/// The NUMA node that has all of `processors`; else unknown_locality.
std::int64_t memory_of(const Processors& processors, const char* root) {
  std::int64_t found = unknown_locality;
  for_each_range(content_of("%s/devices/system/node/online", root).text, [&](long first, long last) {
    for (long node = first; node <= last && found == unknown_locality; ++node)
      if (lists_all(content_of("%s/devices/system/node/node%ld/cpulist", root, node), processors)) found = node;
  });
  return found;
}

}  // namespace

std::uint64_t digest_of_boot(const char* of_namespace) {
  const Content boot = content_of("/proc/sys/kernel/random/boot_id");
  const std::uint64_t id = table::digest(boot.text, std::strlen(boot.text));
  char text[256];
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
  static_cast<Locality&>(facts) = locality;
  return facts;
}

}  // namespace mpigraft::base
