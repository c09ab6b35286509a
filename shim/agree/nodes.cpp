// SPDX-License-Identifier: MIT
#include "shim/agree/nodes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mpigraft::agree {

using base::HostFacts;

namespace {

std::pair<std::uint64_t, std::int64_t> node_of(const HostFacts& f) { return {f.host, f.simulated_node}; }

/// Calls f(run) for each longest run of ranks that have the same `key`.
template <class Key, class F>
void for_each_run(Facts all, Key key, F f) {
  while (!all.empty()) {
    const auto end = std::ranges::find_if(all, [&](const HostFacts& rank) { return key(rank) != key(all.front()); });
    const auto length = static_cast<std::size_t>(end - all.begin());
    f(all.first(length));
    all = all.subspan(length);
  }
}

/// Groups consecutive ranks by a fact; `first` gets the first rank of each group. Returns false if a rank does not know
/// the fact, a group is not consecutive, or there is only one group or one for each rank.
bool group_by(const std::int64_t HostFacts::*fact, Facts all, std::vector<int>& first) {
  first.clear();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::int64_t its = all[rank].*fact;
    if (its == base::unknown_locality) return false;
    if (rank > 0 && its == all[rank - 1].*fact) continue;
    const auto is_the_same = [&](int other) { return all[static_cast<std::size_t>(other)].*fact == its; };
    if (std::ranges::any_of(first, is_the_same)) return false;
    first.push_back(static_cast<int>(rank));
  }
  return first.size() > 1 && first.size() < all.size();
}

}  // namespace

bool more_ranks_than_cores(const HostFacts& mine, Facts all) {
  base::Processors cpus;
  std::int64_t ranks = 0;
  for (const HostFacts& f : all) {
    if (f.host != mine.host) continue;
    ++ranks;
    cpus |= f.cpus;
  }
  if (static_cast<std::int64_t>(mine.cpus.count()) == mine.cores) ranks = std::max(ranks, mine.ranks_on_host);
  const auto cores = cpus.any() ? static_cast<std::int64_t>(cpus.count()) : mine.cores;
  return ranks > (mine.quota > 0 ? std::min(cores, mine.quota) : cores);
}

NodeCounts count_nodes(std::span<HostFacts> all, std::vector<int>& first) {
  first.clear();
  for_each_run(all, node_of, [&](Facts run) { first.push_back(static_cast<int>(run.data() - all.data())); });
  std::ranges::sort(all, {}, node_of);
  NodeCounts counts{.ranks = {std::numeric_limits<std::int64_t>::max(), 0}};
  for_each_run(all, node_of, [&](Facts run) {
    ++counts.nodes;
    counts.ranks.min = std::min<std::int64_t>(counts.ranks.min, std::ssize(run));
    counts.ranks.max = std::max<std::int64_t>(counts.ranks.max, std::ssize(run));
  });
  if (counts.nodes != std::ssize(first)) first.clear();
  return counts;
}

void find_neighbours(const HostFacts& mine, Facts all, std::vector<int>& ranks) {
  ranks.clear();
  for (const HostFacts& f : all)
    if (node_of(f) == node_of(mine)) ranks.push_back(static_cast<int>(f.world_rank));
}

void find_cache_groups(Facts all, std::vector<int>& first) {
  const bool together =
      std::ranges::all_of(all, [&](const HostFacts& f) { return node_of(f) == node_of(all.front()); });
  const bool found = together && (group_by(&HostFacts::cache, all, first) || group_by(&HostFacts::memory, all, first));
  if (!found) first.clear();
}

bool oversubscribed_anywhere(Facts all) {
  bool anywhere = false;
  for_each_run(
      all, [](const HostFacts& f) { return f.host; },
      [&](Facts ranks_of_host) {
        anywhere = anywhere || std::ranges::any_of(ranks_of_host, [&](const HostFacts& mine) {
                     return mine.oversubscribed != 0 || more_ranks_than_cores(mine, ranks_of_host);
                   });
      });
  return anywhere;
}

}  // namespace mpigraft::agree
