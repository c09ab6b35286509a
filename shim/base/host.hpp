// SPDX-License-Identifier: MIT
// Facts that a rank knows about the machine it runs on.
#pragma once

#include <bitset>
#include <cstdint>

#include "config/table/digest.hpp"

namespace mpigraft::base {

using Processors = std::bitset<1024>;

/// The value where a process may run in several parts of a host, or the kernel does not tell.
inline constexpr std::int64_t unknown_locality = -1;

/// The parts of a host that contain every processor of an affinity mask.
struct Locality {
  std::int64_t cache = unknown_locality;   // the first processor of those that share the third-level cache
  std::int64_t memory = unknown_locality;  // the NUMA node
};

/// The facts that one rank contributes to the negotiation; MPIGRAFT_NODES may replace its locality. The bytes are sent
/// as they are.
struct HostFacts : Locality {
  std::uint64_t host = 0;           // equal exactly for ranks that can share memory
  std::int64_t simulated_node = 0;  // MPIGRAFT_NODES; splits hosts, never merges them
  Processors cpus{};                // affinity mask; none if it is not known
  std::int64_t cores = 0;           // processors of the cpuset, else of the machine
  std::int64_t ranks_on_host = 0;   // of the whole job; 0: the launcher does not tell
  std::int64_t quota = 0;           // whole cores that the cgroup allows; 0: no limit
  std::int64_t oversubscribed = 0;  // 1: this process already knows of more ranks than cores
  std::int64_t world_rank = 0;
  std::int64_t serial = 0;     // negotiations that this process took part in before
  std::int64_t has_table = 0;  // 1: it has the table that rank 0 sent
};

/// The locality of a process with the affinity mask `processors`, from the kernel's files below `root`. Tests pass
/// another `root`. A part that the files do not tell is unknown_locality.
Locality locality_of(const Processors& processors, const char* root = "/sys");

/// A digest of this boot of the kernel and of a namespace of this process, by the namespace's file below /proc/self/ns.
std::uint64_t digest_of_boot(const char* of_namespace);

/// The facts of this process. The caller fills in simulated_node, oversubscribed, has_table, world_rank, serial and
/// simulated cache groups.
HostFacts host_facts();

}  // namespace mpigraft::base
