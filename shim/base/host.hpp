// SPDX-License-Identifier: MIT
// A rank's knowledge of the machine it runs on.
#pragma once

#include <array>
#include <cstdint>

#include "config/table/digest.hpp"

namespace mpigraft::base {

inline constexpr std::size_t max_processors = 1024;
using Processors = std::array<std::uint64_t, max_processors / 64>;  // a set of them, as bits

/// The process may run in several domains, or the kernel does not tell.
inline constexpr std::int64_t unknown_domain = -1;

/// One rank's part of the exchange; plain bytes.
struct HostFacts {
  std::uint64_t host = 0;                // equal exactly for ranks that share an operating system and its memory
  std::int64_t simulated_node = 0;       // MPIGRAFT_NODES; splits hosts, never merges them
  Processors cpus{};                     // affinity mask
  std::int64_t cores = 0;                // that processes here may be bound to
  std::int64_t ranks_on_host = 0;        // of the whole job; 0: the launcher does not tell
  std::int64_t quota = 0;                // whole cores that the cgroup allows; 0: no limit
  std::int64_t crowded = 0;              // 1: the process knows already of more ranks than cores
  std::int64_t cache = unknown_domain;   // ranks of a node that share one; with MPIGRAFT_DOMAINS, that are said to
  std::int64_t memory = unknown_domain;  // the same of memory that is near to them
  std::int64_t world_rank = 0;
  std::int64_t serial = 0;  // communicators that this process has exchanged so far
};

/// The facts of this process; simulated_node, crowded, simulated domains, world_rank and serial are the
/// caller's.
HostFacts host_facts();

}  // namespace mpigraft::base
