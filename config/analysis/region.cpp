// SPDX-License-Identifier: MIT
#include "config/analysis/region.hpp"

#include <algorithm>

namespace mpigraft::analysis {

namespace {

constexpr std::size_t most_pieces = 4096;

bool is_empty(table::Range r) { return r.min > r.max; }

/// The common part of both, perhaps empty.
table::Range intersection(table::Range a, table::Range b) { return {std::max(a.min, b.min), std::min(a.max, b.max)}; }

std::int64_t product(std::int64_t a, std::int64_t b) { return a > table::unlimited / b ? table::unlimited : a * b; }

table::Range operators_of(const table::Rule& rule) {
  using enum table::OperatorClass;
  const std::int64_t last = table::needs_commutative(rule.choice) || rule.op == commutative ? 1 : 2;
  return {rule.op == noncommutative ? 2 : rule.op == user ? 1 : 0, last};
}

table::Range crowding_of(const table::Rule& rule) {
  if (!rule.oversubscribed) return {0, 1};
  return *rule.oversubscribed ? table::Range{1, 1} : table::Range{0, 0};
}

/// The region with narrower sides: its ranks lie between nodes * fewest and nodes * most ranks per node.
Region narrowed(Region r) {
  for (int pass = 0; pass < 2 && !r.empty(); ++pass) {
    r.ranks =
        intersection(r.ranks, {product(r.nodes.min, r.ranks_per_node.min), product(r.nodes.max, r.ranks_per_node.max)});
    if (r.empty()) break;
    const table::Range& each = r.ranks_per_node;
    r.nodes = intersection(r.nodes, {(r.ranks.min - 1) / each.max + 1, r.ranks.max / each.min});
    r.ranks_per_node.max = std::min(r.ranks_per_node.max, r.ranks.max);
    if (r.nodes.max == 1) r.ranks_per_node = intersection(r.ranks_per_node, r.ranks);
  }
  return r;
}

Region unclipped(const table::Rule& rule) {
  return {rule.ranks, rule.bytes, rule.nodes, operators_of(rule), crowding_of(rule), rule.ranks_per_node};
}

bool overlap(const Region& a, const Region& b) {
  return std::ranges::none_of(cut_sides, [&](auto side) { return is_empty(intersection(a.*side, b.*side)); });
}

/// Appends the pieces of `region` that lie outside of `taken`, which it overlaps.
void cut(Region region, const Region& taken, std::vector<Region>& pieces) {
  const auto keep = [&](const Region& piece) {
    if (const Region possible = narrowed(piece); !possible.empty()) pieces.push_back(possible);
  };
  for (const auto side : cut_sides) {
    Region below = region, above = region;
    if ((region.*side).min < (taken.*side).min) {
      (below.*side).max = (taken.*side).min - 1;
      keep(below);
    }
    if ((region.*side).max > (taken.*side).max) {
      (above.*side).min = (taken.*side).max + 1;
      keep(above);
    }
    region.*side = intersection(region.*side, taken.*side);
  }
}

/// Takes all calls in `taken` out of the regions; false if there are none.
bool take(const Region& taken, std::vector<Region>& regions) {
  std::vector<Region> pieces;
  bool took = false;
  for (const Region& old : regions) {
    if (taken.ranks_per_node.contains(old.ranks_per_node) && overlap(old, taken)) {
      took = true;
      cut(old, taken, pieces);
    } else {
      pieces.push_back(old);
    }
  }
  regions = std::move(pieces);
  return took;
}

/// The part of the rule's calls, `all`, that it decides.
std::vector<Region> decided(const Region& all, const table::Rule& rule) {
  const table::Range whole = table::decided_bytes(rule, true);
  if (whole == rule.bytes) return {all};
  Region predefined = all, user = all;
  predefined.operators = intersection(all.operators, {0, 0});
  user.operators = intersection(all.operators, {1, 2});
  user.bytes = intersection(all.bytes, whole);
  std::vector<Region> parts;
  for (const Region& part : {predefined, user})
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

bool Region::empty() const {
  return is_empty(ranks_per_node) || std::ranges::any_of(cut_sides, [&](auto side) { return is_empty(this->*side); });
}

Region region_of(const table::Rule& rule) {
  Region region = unclipped(rule);
  region.ranks.min = std::max<std::int64_t>(region.ranks.min, 2);
  for (const auto side : {&Region::bytes, &Region::nodes, &Region::ranks_per_node})
    (region.*side).min = std::max<std::int64_t>((region.*side).min, 1);
  return narrowed(region);
}

std::vector<Region> regions_of(const table::Rule& rule) { return decided(region_of(rule), rule); }

Remainder remainder(const std::vector<Region>& regions, const std::vector<const table::Rule*>& rules) {
  Remainder result{regions, {}};
  for (const table::Rule* rule : rules) {
    const Region all = unclipped(*rule);
    if (std::ranges::none_of(result.regions, [&](const Region& left) { return overlap(left, all); })) continue;
    bool took = false;
    for (const Region& taken : decided(all, *rule)) took |= take(taken, result.regions);
    if (result.regions.size() > most_pieces) return {regions, {}};
    if (took) result.takers.push_back(rule);
    if (result.regions.empty()) break;
  }
  return result;
}

}  // namespace mpigraft::analysis
