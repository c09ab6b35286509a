// SPDX-License-Identifier: MIT
#include "config/learning/learned.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::learning {
namespace {

std::string gain_words(const Learned& one) {
  if (one.choice == one.before) return "no algorithm that was tried is faster";
  return table::formatted("%.3g times the speed of ", one.gain) + table::words_of(one.before);
}

table::Range bytes_of(const Kind& kind) {
  const std::int64_t end = std::int64_t{1} << kind.size_class;
  if (kind.size_class == 0) return {};
  return {std::max(end / 2, kind.alike.min), std::min(end - 1, kind.alike.max)};
}

std::string words_of(const Kind& kind, std::int64_t ranks) {
  std::string text = std::string(name_of(kind.collective)) + ", " + std::to_string(ranks) + " ranks";
  if (const table::Range bytes = bytes_of(kind); kind.size_class > 0)
    text += ", " + std::to_string(bytes.min) + " to " + std::to_string(bytes.max) + " bytes";
  if (kind.order != Order::any) text += ", floating point";
  return text + (kind.user ? ", user operators" : "");
}

table::Range exactly(std::int64_t n) { return {n, n}; }

table::Rule rule_of(const Learned& one, const std::string& where) {
  table::Rule rule;
  rule.collective = one.kind.collective;
  rule.choice = one.choice;
  rule.ranks = exactly(one.ranks);
  rule.nodes = exactly(one.nodes);
  rule.ranks_per_node = one.ranks_per_node;
  rule.oversubscribed = one.oversubscribed;
  rule.bytes = bytes_of(one.kind);
  if (table::needs_commutative(one.choice)) rule.op = table::OperatorClass::commutative;
  if (one.kind.user) rule.op = table::OperatorClass::user;
  rule.note =
      std::string(table::learned_mark) + gain_words(one) + ", by " + std::to_string(one.calls) + " calls; " + where;
  return rule;
}

/// The place of a learned rule before those that match its calls, too: first rules for user operators that commute, as
/// their algorithm needs it, then those for any user operator, then the others.
int place_of(const table::Rule& rule) {
  if (rule.op != table::OperatorClass::user) return 2;
  return table::needs_commutative(rule.choice) ? 0 : 1;
}

/// True if both rules are for the same calls; learned rules state all their conditions.
bool same_calls(const table::Rule& a, const table::Rule& b) {
  return a.collective == b.collective && static_cast<const table::Conditions&>(a) == b && place_of(a) == place_of(b);
}

/// The number N in a note's ", by N calls"; 0 if there is none.
std::int64_t calls_of(const table::Rule& rule) {
  const std::size_t by = rule.note.find(", by ");
  long long calls = 0;
  if (by != rule.note.npos) std::sscanf(rule.note.c_str() + by, ", by %lld calls", &calls);
  return calls;
}

/// Makes the rule the first one of its place.
void put_first(table::Table& table, const table::Rule& rule) {
  const auto stays_behind = [&](const table::Rule& other) {
    return !other.is_learned() || place_of(other) >= place_of(rule);
  };
  table.rules.insert(std::ranges::find_if(table.rules, stays_behind), rule);
}

/// Replaces a learned rule for the same calls, unless that was learned from `calls` or more.
void add(table::Table& table, const table::Rule& rule, std::int64_t calls) {
  const auto known = std::ranges::find_if(
      table.rules, [&](const table::Rule& other) { return other.is_learned() && same_calls(other, rule); });
  if (known == table.rules.end())
    put_first(table, rule);
  else if (calls_of(*known) < calls)
    *known = rule;
}

}  // namespace

std::string describe(const Learned& one) {
  std::string tried;
  for (const table::Choice& choice : one.tried) tried += (tried.empty() ? "; tried " : ", ") + table::words_of(choice);
  return words_of(one.kind, one.ranks) + ": " + table::words_of(one.choice) + ", " + gain_words(one) + ", by " +
         std::to_string(one.calls) + " calls" + tried;
}

std::string describe_forbidden(const Kind& kind, std::int64_t ranks, int tried, int all) {
  return words_of(kind, ranks) + ": tried " + std::to_string(tried == 1 ? 0 : tried) + " of " + std::to_string(all) +
         " candidates, because the others may change the last bits of results (MPIGRAFT_LEARN=FILE.json,float permits "
         "that)";
}

/// A trial that had to keep the association and found nothing better tells nothing about other calls. Winners of such
/// trials come first, so that rules for calls without that limit replace theirs.
table::Table with_learned(table::Table table, const std::vector<Learned>& all, const std::string& where) {
  for (const bool limited : {true, false})
    for (const Learned& one : all)
      if ((one.kind.order != Order::any) == limited && !(limited && one.choice == one.before))
        add(table, rule_of(one, where), table::unlimited);
  return table;
}

table::Table merged(table::Table table, const table::Table& more) {
  for (auto rule = more.rules.rbegin(); rule != more.rules.rend(); ++rule) {  // each goes before those added so far
    const auto hides = [&](const table::Rule& other) { return other.is_learned() && same_calls(other, *rule); };
    if (rule->is_learned() && std::none_of(std::next(rule), more.rules.rend(), hides))
      add(table, *rule, calls_of(*rule));
  }
  return table;
}

}  // namespace mpigraft::learning
