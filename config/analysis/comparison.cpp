// SPDX-License-Identifier: MIT
#include "config/analysis/comparison.hpp"

#include <algorithm>
#include <set>

namespace mpigraft::analysis {

namespace {

/// An axis of ranks or bytes, cut into intervals in which no rule begins or ends: their first values.
using Axis = std::set<std::int64_t>;

void cut(Axis& axis, table::Range range) {
  for (const std::int64_t first : {range.min, range.max < table::unlimited ? range.max + 1 : 0})
    if (first > *axis.begin()) axis.insert(first);
}

std::vector<table::Range> intervals(const Axis& axis) {
  std::vector<table::Range> result;
  for (const std::int64_t first : axis) {
    if (!result.empty()) result.back().max = first - 1;
    result.push_back({first, table::unlimited});
  }
  return result;
}

/// The numbers of ranks on these numbers of nodes, with `each` ranks on a node.
table::Range ranks_on(table::Range nodes, std::int64_t each) {
  const auto times = [=](std::int64_t n) { return n > table::unlimited / each ? table::unlimited : n * each; };
  const std::int64_t fewer = times(std::max<std::int64_t>(nodes.min, 1) - 1);
  return {fewer == table::unlimited ? table::unlimited : fewer + 1, times(nodes.max)};
}

/// The numbers of ranks that a node of `each` has alone and that are among `ranks_per_node`, if there are such; else
/// all that it has.
table::Range on_one_node(table::Range ranks_per_node, std::int64_t each) {
  return {std::min(ranks_per_node.min, each + 1), std::min(ranks_per_node.max, each)};
}

table::Choice choice(const table::Table& table, const table::Query& query) {
  const table::Rule* rule = table::find_rule(table.rules, query);
  return rule ? rule->choice : table::Choice{};
}

/// Adds a rectangle. It extends one that is alike but ends right before it on this side, or is a new one.
void add(std::vector<Difference>& all, const Difference& next, table::Range Difference::*side) {
  const auto goes_on = std::ranges::find_if(all, [&](Difference d) {
    const bool ends_before = (d.*side).max == (next.*side).min - 1;
    d.*side = next.*side;
    return ends_before && d == next;
  });
  if (goes_on == all.end())
    all.push_back(next);
  else
    ((*goes_on).*side).max = (next.*side).max;
}

}  // namespace

table::Query on_full_nodes(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes) {
  const std::int64_t each = placing.ranks_per_node;
  return {.collective = collective,
          .ranks = ranks,
          .bytes = bytes,
          .nodes = (ranks - 1) / each + 1,
          .ranks_per_node = {each, each},
          .oversubscribed = placing.oversubscribed,
          .commutative = placing.commutative,
          .user = placing.user,
          .floating = placing.floating};
}

table::Query query_of(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes) {
  table::Query query = on_full_nodes(collective, placing, ranks, bytes);
  const std::int64_t left = ranks - (query.nodes - 1) * placing.ranks_per_node;
  query.ranks_per_node = {left, query.nodes == 1 ? left : placing.ranks_per_node};
  return query;
}

std::vector<Difference> differences(const table::Table& before, const table::Table& after, Collective collective,
                                    const Placing& placing) {
  Axis ranks{2}, bytes{1};
  for (const table::Table* table : {&before, &after})
    for (const table::Rule& rule : table->rules) {
      if (!rule.is_for(collective)) continue;
      cut(ranks, rule.ranks);
      cut(ranks, ranks_on(rule.nodes, placing.ranks_per_node));
      cut(ranks, on_one_node(rule.ranks_per_node, placing.ranks_per_node));
      cut(bytes, table::decided_bytes(rule, placing.user));
    }
  std::vector<Difference> all;
  for (const table::Range& some_ranks : intervals(ranks)) {
    std::vector<Difference> column;
    for (const table::Range& some_bytes : intervals(bytes)) {
      const bool are_on_one_node = some_ranks.min <= placing.ranks_per_node;
      const table::Query query =
          (are_on_one_node ? query_of : on_full_nodes)(collective, placing, some_ranks.min, some_bytes.min);
      const Difference here{some_ranks, some_bytes, choice(before, query), choice(after, query)};
      if (here.before != here.after) add(column, here, &Difference::bytes);
    }
    for (const Difference& next : column) add(all, next, &Difference::ranks);
  }
  return all;
}

}  // namespace mpigraft::analysis
