// SPDX-License-Identifier: MIT
#include "config/analysis/lint.hpp"

#include <algorithm>

namespace mpigraft::analysis {

using table::Rule;

namespace {

using Rules = std::vector<const Rule*>;
using Dimension = table::Range Rule::*;

bool same_place(const Rule& a, const Rule& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node && a.oversubscribed == b.oversubscribed;
}

/// The nearest rule above `rule` in a dimension, alike in all else but the operator, since some operator fits both.
const Rule* next_above(const Rule& rule, const Rules& rules, Dimension dimension, Dimension other) {
  const Rule* nearest = nullptr;
  for (const Rule* candidate : rules) {
    const bool alike = candidate->*other == rule.*other && same_place(*candidate, rule);
    if (!alike || (candidate->*dimension).min <= (rule.*dimension).max) continue;
    if (!nearest || (candidate->*dimension).min < (nearest->*dimension).min) nearest = candidate;
  }
  return nearest;
}

}  // namespace

std::vector<Gap> gaps(const Rules& rules) {
  std::vector<Rule> wide;  // for any nodes, cores and operator
  for (const Rule* rule : rules) {
    Rule& copy = wide.emplace_back();
    copy.ranks = rule->ranks;
    copy.bytes = rule->bytes;
  }
  Rules takers;
  for (const Rule& rule : wide) takers.push_back(&rule);

  std::vector<Gap> found;
  const auto look = [&](Dimension dimension, Dimension other, std::string_view key) {
    for (const Rule* below : rules) {
      const Rule* above = next_above(*below, rules, dimension, other);
      if (!above) continue;
      Rule between;
      between.*other = below->*other;
      between.*dimension = {(below->*dimension).max + 1, (above->*dimension).min - 1};
      for (const Region& region : remainder({region_of(between)}, takers).regions) {
        const bool told = std::ranges::any_of(found, [&](const Gap& gap) {
          return gap.region.ranks == region.ranks && gap.region.bytes == region.bytes;
        });
        if (!told && !region.empty()) found.push_back({below, above, key, region});
      }
    }
  };
  look(&Rule::bytes, &Rule::ranks, "bytes");
  look(&Rule::ranks, &Rule::bytes, "ranks");
  return found;
}

}  // namespace mpigraft::analysis
