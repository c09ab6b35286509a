// SPDX-License-Identifier: MIT
// Conclusions from the host facts of a communicator's ranks.
#pragma once

#include <span>
#include <vector>

#include "config/table/table.hpp"
#include "shim/base/host.hpp"

namespace mpigraft::agree {

/// The facts of a communicator's ranks.
using Facts = std::span<const base::HostFacts>;

/// True if the ranks on the host of `mine` outnumber the processors that they may use. Ranks outside `all` are
/// known by their number only, if the launcher tells it. They count if this rank is not bound, because then all share
/// the same processors.
bool more_ranks_than_cores(const base::HostFacts& mine, Facts all);

struct NodeCounts {
  std::int64_t nodes = 0;
  table::Range ranks;  // fewest and most ranks on a node
};

/// Counts the nodes by facts in rank order, and then sorts the facts by node. `first` gets the first rank of every
/// node; it is empty if the ranks of any node are not consecutive. REQUIRES: `first` has room for all ranks.
NodeCounts count_nodes(std::span<base::HostFacts> all, std::vector<int>& first);

/// Finds the ranks in MPI_COMM_WORLD of those on the node of `mine`, by facts in rank order. REQUIRES: `ranks` has room
/// for all.
void find_neighbours(const base::HostFacts& mine, Facts all, std::vector<int>& ranks);

/// Finds the cache groups of a single node by facts in rank order: ranks that share a cache, or else ranks that share a
/// NUMA node. `first` gets the first rank of every cache group. It is empty if there are several nodes, if the ranks of
/// any cache group are not consecutive, or if there is only one cache group or one for each rank. REQUIRES: `first` has
/// room for all ranks.
void find_cache_groups(Facts all, std::vector<int>& first);

/// True if ranks outnumber cores on any host, or if any rank already knew that its node is oversubscribed. REQUIRES:
/// count_nodes() has sorted the facts.
bool oversubscribed_anywhere(Facts all);

}  // namespace mpigraft::agree
