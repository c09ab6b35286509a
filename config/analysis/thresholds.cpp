// SPDX-License-Identifier: MIT
#include "config/analysis/lint.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "config/table/size.hpp"

namespace mpigraft::analysis {

using table::Rule;

namespace {

using Rules = std::vector<const Rule*>;
using Dimension = table::Range Rule::*;

bool same_place(const Rule& a, const Rule& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node && a.oversubscribed == b.oversubscribed;
}

bool alike_but_bytes(const Rule& a, const Rule& b) { return a.ranks == b.ranks && a.op == b.op && same_place(a, b); }

/// A bound of a rule's bytes. A lower bound is taken as the upper bound of the bytes below it.
struct Bound {
  const Rule* rule;
  bool upper;
  std::int64_t last;  // of the bytes below
};

/// True if two bounds are the same, or those of neighbours: "max 64K" adjoins "min 64K" as well as "min 65537".
bool adjoins(const Bound& a, const Bound& b) {
  return a.last == b.last || (a.upper != b.upper && std::abs(a.last - b.last) == 1);
}

using Bounds = std::vector<Bound>;

/// True if a bound of another rule explains this one.
bool has_neighbour(const Bound& b, const Bounds& bounds) {
  return std::ranges::any_of(bounds, [&](const Bound& other) { return other.rule != b.rule && adjoins(b, other); });
}

bool fits(const Bound& meant, const Bounds& bounds) {
  int alike = 0;
  for (const Bound& other : bounds) {
    if (other.rule == meant.rule || other.last != meant.last) continue;
    if (other.upper == meant.upper)
      ++alike;
    else if (alike_but_bytes(*other.rule, *meant.rule) && !has_neighbour(other, bounds))
      return true;
  }
  return alike >= 2;
}

/// The bound that was meant, as in JSON: 64 for "64K", and 65 for what follows "64K".
std::optional<std::string> meaning(const Bound& b, std::int64_t written, const Bounds& bounds) {
  for (int shift = 10; shift <= 30; shift += 10) {
    const std::int64_t size = written << shift, following = (written - 1) << shift;
    if (fits({b.rule, b.upper, size}, bounds) || (!b.upper && fits({b.rule, b.upper, size - 1}, bounds)))
      return '"' + table::format_size(size) + '"';
    if (!b.upper && fits({b.rule, b.upper, following}, bounds)) return std::to_string(following + 1);
  }
  return {};
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

std::vector<Mistyped> mistyped_thresholds(const Rules& rules) {
  Bounds bounds;
  for (const Rule* rule : rules) {
    if (rule->is_learned()) continue;  // nobody typed it
    if (rule->bytes.min >= 2) bounds.push_back({rule, false, rule->bytes.min - 1});
    if (rule->bytes.max != table::unlimited) bounds.push_back({rule, true, rule->bytes.max});
  }
  std::vector<Mistyped> found;
  for (const Bound& b : bounds) {
    const std::int64_t written = b.upper ? b.last : b.last + 1;
    if (written >= 1024 || has_neighbour(b, bounds)) continue;
    if (const auto meant = meaning(b, written, bounds)) found.push_back({b.rule, b.upper, written, *meant});
  }
  return found;
}

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
