// SPDX-License-Identifier: MIT
// Conclusions from the host facts of all ranks of a communicator.
#pragma once

#include <vector>

#include "config/table/table.hpp"
#include "shim/base/host.hpp"

namespace mpigraft::agree {

/// Whether the ranks on the host of `mine` outnumber the processors that they may use. About the job's other ranks only
/// their number is known, and only from a launcher that tells; without binding they share the same processors.
bool more_ranks_than_cores(const base::HostFacts& mine, const base::HostFacts* begin, const base::HostFacts* end);

struct NodeCounts {
  std::int64_t nodes = 0;
  table::Range ranks;  // fewest and most on any node
};

/// From facts in rank order; `first` gets the first rank of every node, or none where the ranks of any node are not
/// consecutive. Sorts the facts. REQUIRES: `first` has room for all ranks.
NodeCounts count_nodes(base::HostFacts* begin, base::HostFacts* end, std::vector<int>& first);

/// From facts in rank order; `first` gets the first rank of every domain of a single node: of ranks that share a cache,
/// or else memory. None where the ranks of any are not consecutive, and where there is only one or each has its own.
/// REQUIRES: `first` has room for all ranks.
void find_domains(const base::HostFacts* begin, const base::HostFacts* end, std::vector<int>& first);

/// Whether ranks outnumber cores on any host, by facts that count_nodes has sorted, or as any rank knows already.
bool crowded_anywhere(const base::HostFacts* begin, const base::HostFacts* end);

}  // namespace mpigraft::agree
