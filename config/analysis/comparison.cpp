// SPDX-License-Identifier: MIT
#include "config/analysis/comparison.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace mpigraft::analysis {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// An axis of ranks or bytes, cut into intervals in which no rule begins or ends. It keeps their first values.
class Axis {
 public:
  explicit Axis(std::int64_t first) : firsts_{first} {}

  void add(table::Range range) {
    add(range.min);
    if (range.max < unlimited) add(range.max + 1);
  }
  std::vector<table::Range> intervals() const {
    std::vector<table::Range> result;
    for (const std::int64_t first : firsts_) {
      if (!result.empty()) result.back().max = first - 1;
      result.push_back({first, unlimited});
    }
    return result;
  }

 private:
  void add(std::int64_t value) {
    if (value > *firsts_.begin()) firsts_.insert(value);
  }

  std::set<std::int64_t> firsts_;
};

/// The numbers of ranks on these numbers of nodes, with `each` ranks on a node.
table::Range ranks_on(table::Range nodes, std::int64_t each) {
  const auto times = [=](std::int64_t n) { return n > unlimited / each ? unlimited : n * each; };
  const std::int64_t fewer = times(std::max<std::int64_t>(nodes.min, 1) - 1);
  return {fewer == unlimited ? unlimited : fewer + 1, times(nodes.max)};
}

bool same(const Difference& a, const Difference& b) { return a.before == b.before && a.after == b.after; }

using Rules = std::vector<const table::Rule*>;

/// The rules that match the query, whatever its bytes.
Rules rules_for(const table::Table& table, table::Query query) {
  Rules rules;
  for (const table::Rule& rule : table.rules) {
    query.bytes = rule.bytes.min;
    if (table::mismatch(rule, query).empty()) rules.push_back(&rule);
  }
  return rules;
}

table::Choice choice(const Rules& rules, std::int64_t bytes, bool user) {
  const auto found = std::ranges::find_if(
      rules, [=](const table::Rule* rule) { return table::decided_bytes(*rule, user).contains(bytes); });
  return found == rules.end() ? table::Choice{} : (*found)->choice;
}

/// Adds the differences of the next interval of ranks. They extend a rectangle that ends right before it, or begin a
/// new one.
void append(std::vector<Difference>& all, const std::vector<Difference>& column) {
  for (const Difference& next : column) {
    const auto goes_on = std::ranges::find_if(all, [&](const Difference& d) {
      return d.ranks.max == next.ranks.min - 1 && d.bytes == next.bytes && same(d, next);
    });
    if (goes_on == all.end())
      all.push_back(next);
    else
      goes_on->ranks.max = next.ranks.max;
  }
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
  Axis ranks(2), bytes(1);
  for (const table::Table* table : {&before, &after})
    for (const table::Rule& rule : table->rules) {
      if (!rule.is_for(collective)) continue;
      ranks.add(rule.ranks);
      ranks.add(ranks_on(rule.nodes, placing.ranks_per_node));
      bytes.add(table::decided_bytes(rule, placing.user));
    }
  const std::vector<table::Range> all_bytes = bytes.intervals();
  std::vector<Difference> all;
  for (const table::Range& some_ranks : ranks.intervals()) {
    const table::Query query = on_full_nodes(collective, placing, some_ranks.min, 1);
    const Rules rules_before = rules_for(before, query), rules_after = rules_for(after, query);
    std::vector<Difference> column;
    for (const table::Range& some_bytes : all_bytes) {
      const Difference here{some_ranks, some_bytes, choice(rules_before, some_bytes.min, placing.user),
                            choice(rules_after, some_bytes.min, placing.user)};
      if (here.before == here.after) continue;
      if (!column.empty() && column.back().bytes.max + 1 == some_bytes.min && same(column.back(), here))
        column.back().bytes.max = some_bytes.max;
      else
        column.push_back(here);
    }
    append(all, column);
  }
  return all;
}

}  // namespace mpigraft::analysis
