// SPDX-License-Identifier: MIT
#include "shim/agree/nodes.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace mpigraft::agree {

using base::HostFacts;

namespace {

std::int64_t cores_of(const base::Processors& mask) {
  std::int64_t cores = 0;
  for (const std::uint64_t word : mask) cores += std::popcount(word);
  return cores;
}

std::pair<std::uint64_t, std::int64_t> node_of(const HostFacts& f) { return {f.host, f.simulated_node}; }

/// Groups consecutive ranks by a fact; `first` gets the first rank of each group. Returns false if a rank does not know
/// the fact, a group is not consecutive, or there is only one group or one for each rank.
bool group_by(const std::int64_t HostFacts::*fact, const HostFacts* begin, const HostFacts* end,
              std::vector<int>& first) {
  first.clear();
  for (const HostFacts* f = begin; f != end; ++f) {
    if (f->*fact == base::unknown_locality) return false;
    if (f != begin && f->*fact == (f - 1)->*fact) continue;
    if (std::ranges::any_of(first, [&](int rank) { return begin[rank].*fact == f->*fact; })) return false;
    first.push_back(static_cast<int>(f - begin));
  }
  return first.size() > 1 && std::ssize(first) < end - begin;
}

}  // namespace

bool more_ranks_than_cores(const HostFacts& mine, const HostFacts* begin, const HostFacts* end) {
  base::Processors cpus{};
  std::int64_t ranks = 0;
  for (const HostFacts* f = begin; f != end; ++f) {
    if (f->host != mine.host) continue;
    ++ranks;
    for (std::size_t i = 0; i < cpus.size(); ++i) cpus[i] |= f->cpus[i];
  }
  if (cores_of(mine.cpus) == mine.cores) ranks = std::max(ranks, mine.ranks_on_host);
  const std::int64_t cores = cores_of(cpus);
  return ranks > (mine.quota > 0 ? std::min(cores, mine.quota) : cores);
}

NodeCounts count_nodes(HostFacts* begin, HostFacts* end, std::vector<int>& first) {
  const auto next_node = [end](const HostFacts* of) {
    return std::find_if(of, static_cast<const HostFacts*>(end),
                        [of](const HostFacts& f) { return node_of(f) != node_of(*of); });
  };
  first.clear();
  for (const HostFacts* f = begin; f != end; f = next_node(f)) first.push_back(static_cast<int>(f - begin));
  std::sort(begin, end, [](const HostFacts& a, const HostFacts& b) { return node_of(a) < node_of(b); });
  table::Range ranks{std::numeric_limits<std::int64_t>::max(), 0};
  std::int64_t nodes = 0;
  for (const HostFacts *f = begin, *next; f != end; f = next, ++nodes) {
    next = next_node(f);
    ranks.min = std::min<std::int64_t>(ranks.min, next - f);
    ranks.max = std::max<std::int64_t>(ranks.max, next - f);
  }
  if (nodes != std::ssize(first)) first.clear();
  return {nodes, ranks};
}

void find_neighbours(const HostFacts& mine, const HostFacts* begin, const HostFacts* end, std::vector<int>& ranks) {
  ranks.clear();
  for (const HostFacts* f = begin; f != end; ++f)
    if (node_of(*f) == node_of(mine)) ranks.push_back(static_cast<int>(f->world_rank));
}

void find_cache_groups(const HostFacts* begin, const HostFacts* end, std::vector<int>& first) {
  const bool together = std::all_of(begin, end, [&](const HostFacts& f) { return node_of(f) == node_of(*begin); });
  const bool found =
      together && (group_by(&HostFacts::cache, begin, end, first) || group_by(&HostFacts::memory, begin, end, first));
  if (!found) first.clear();
}

bool oversubscribed_anywhere(const HostFacts* begin, const HostFacts* end) {
  for (const HostFacts *f = begin, *next; f != end; f = next) {
    next = std::find_if(f, end, [f](const HostFacts& other) { return other.host != f->host; });
    const auto oversubscribed = [=](const HostFacts& mine) {
      return mine.oversubscribed != 0 || more_ranks_than_cores(mine, f, next);
    };
    if (std::any_of(f, next, oversubscribed)) return true;
  }
  return false;
}

}  // namespace mpigraft::agree
