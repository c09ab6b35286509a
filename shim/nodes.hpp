// SPDX-License-Identifier: MIT
// What follows from the host facts of all ranks of a communicator.
#pragma once

#include <vector>

#include "config/table.hpp"
#include "shim/host.hpp"

namespace mpigraft {

/// Whether the ranks on the host of `mine` outnumber the processors that they may use. Of the job's other ranks only
/// their number is known, and only from a launcher that tells; without binding they share the same processors.
bool more_ranks_than_cores(const HostFacts& mine, const HostFacts* begin, const HostFacts* end);

/// Fewest and most ranks on any node, and the first rank of every node (none where the ranks of any node are not
/// consecutive), from facts in rank order. Sorts the facts. REQUIRES: `first` has room for all ranks.
Range find_nodes(HostFacts* begin, HostFacts* end, std::vector<int>& first);

}  // namespace mpigraft
