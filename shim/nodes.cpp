// SPDX-License-Identifier: MIT
#include "shim/nodes.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace mpigraft {
namespace {

using Mask = decltype(HostFacts::cpus);

std::int64_t cores_of(const Mask& mask) {
  std::int64_t cores = 0;
  for (const std::uint64_t word : mask) cores += std::popcount(word);
  return cores;
}

std::pair<std::uint64_t, std::int64_t> node_of(const HostFacts& f) { return {f.host, f.simulated_node}; }

}  // namespace

bool more_ranks_than_cores(const HostFacts& mine, const HostFacts* begin, const HostFacts* end) {
  Mask cpus{};
  std::int64_t ranks = 0;
  for (const HostFacts* f = begin; f != end; ++f) {
    if (f->host != mine.host) continue;
    ++ranks;
    for (std::size_t i = 0; i < cpus.size(); ++i) cpus[i] |= f->cpus[i];
  }
  if (cores_of(mine.cpus) == mine.cores_online) ranks = std::max(ranks, mine.ranks_on_host);
  const std::int64_t cores = cores_of(cpus);
  return ranks > (mine.quota > 0 ? std::min(cores, mine.quota) : cores);
}

Range ranks_per_node(HostFacts* begin, HostFacts* end) {
  std::sort(begin, end, [](const HostFacts& a, const HostFacts& b) { return node_of(a) < node_of(b); });
  Range ranks{std::numeric_limits<std::int64_t>::max(), 0};
  for (const HostFacts *first = begin, *next; first != end; first = next) {
    next = std::find_if(first, static_cast<const HostFacts*>(end),
                        [&](const HostFacts& f) { return node_of(f) != node_of(*first); });
    ranks.min = std::min<std::int64_t>(ranks.min, next - first);
    ranks.max = std::max<std::int64_t>(ranks.max, next - first);
  }
  return ranks;
}

}  // namespace mpigraft
