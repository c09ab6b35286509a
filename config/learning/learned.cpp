// SPDX-License-Identifier: MIT
#include "config/learning/learned.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <optional>

#include "algorithms/catalogue.hpp"
#include "config/table/canonical.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::learning {
namespace {

bool needs_commutative(const table::Choice& choice) {
  return choice.algorithm != table::native && listed[static_cast<std::size_t>(choice.algorithm)].info->commutative;
}

std::string gain_words(const Learned& one) {
  if (one.choice == one.before) return "no algorithm that was tried is faster";
  std::array<char, 96> text;
  std::snprintf(text.data(), text.size(), "%.3g times the speed of %s", one.gain, table::words_of(one.before).c_str());
  return text.data();
}

table::Range exactly(std::int64_t n) { return {n, n}; }

table::Rule rule_of(const Learned& one, const std::string& where) {
  table::Rule rule;
  rule.collective = one.kind.collective;
  rule.choice = one.choice;
  rule.ranks = exactly(one.ranks);
  rule.nodes = exactly(one.nodes);
  rule.ranks_per_node = one.ranks_per_node;
  rule.crowded = one.crowded;
  if (one.kind.size_class > 0)
    rule.bytes = {std::int64_t{1} << (one.kind.size_class - 1), (std::int64_t{1} << one.kind.size_class) - 1};
  if (needs_commutative(one.choice)) rule.op = table::OperatorClass::commutative;
  if (one.kind.user) rule.op = table::OperatorClass::user;
  rule.note = std::string(learned_mark) + gain_words(one) + ", by " + std::to_string(one.calls) + " calls; " + where;
  return rule;
}

bool is_for_user_operators(const table::Rule& rule) { return rule.op == table::OperatorClass::user; }

/// True if both rules are for the same calls; learned rules state all their conditions.
bool same_calls(const table::Rule& a, const table::Rule& b) {
  const table::Conditions &mine = a, &others = b;
  return a.collective == b.collective && mine.contain(others) && others.contain(mine) &&
         is_for_user_operators(a) == is_for_user_operators(b);
}

/// The number N in a note's ", by N calls"; 0 if there is none.
std::int64_t calls_of(const table::Rule& rule) {
  const std::size_t by = rule.note.find(", by ");
  long long calls = 0;
  if (by != rule.note.npos) std::sscanf(rule.note.c_str() + by, ", by %lld calls", &calls);
  return calls;
}

/// A table's rules in their order. Not a JSON document, whose destruction needs memory, which a job may lack.
class Rules {
 public:
  explicit Rules(std::string_view table) : table_(table) {
    const table::Table parsed = table::parse_table(table).table;
    all_.resize(parsed.rule_count());
    for (const table::Rule& rule : parsed.rules) all_[static_cast<std::size_t>(rule.place)] = one_of(rule);
    for (const table::CompositionRule& rule : parsed.compositions)
      all_[static_cast<std::size_t>(rule.place)].text = table::text_of(rule);
  }

  /// Replaces a learned rule for the same calls, unless that was learned from `calls` or more.
  void add(const table::Rule& rule, std::int64_t calls) {
    const auto known =
        std::ranges::find_if(all_, [&](const One& one) { return one.learned && same_calls(*one.learned, rule); });
    if (known != all_.end() && calls_of(*known->learned) >= calls) return;
    if (known != all_.end()) all_.erase(known);
    put_before(rule);
  }
  std::vector<table::Rule> learned() const {
    std::vector<table::Rule> rules;
    for (const One& one : all_)
      if (one.learned) rules.push_back(*one.learned);
    return rules;
  }
  std::string text() const {
    std::vector<std::string> texts;
    for (const One& one : all_) texts.push_back(one.text);
    return table::canonical(table_, texts);
  }

 private:
  struct One {
    std::string text;
    std::optional<table::Rule> learned;
  };

  static One one_of(const table::Rule& rule) {
    One one{.text = table::text_of(rule), .learned = {}};
    if (rule.note.starts_with(learned_mark)) one.learned = rule;
    return one;
  }
  /// Rules for user operators come first, because the others match them too.
  void put_before(const table::Rule& rule) {
    auto at = all_.begin();
    while (!is_for_user_operators(rule) && at != all_.end() && at->learned && is_for_user_operators(*at->learned)) ++at;
    all_.insert(at, one_of(rule));
  }

  const std::string_view table_;
  std::vector<One> all_;
};

}  // namespace

std::string describe(const Learned& one) {
  std::string tried;
  for (const table::Choice& choice : one.tried) tried += (tried.empty() ? "; tried " : ", ") + table::words_of(choice);
  std::string text = std::string(name_of(one.kind.collective)) + ", " + std::to_string(one.ranks) + " ranks";
  if (one.kind.size_class > 0)
    text += ", " + std::to_string(std::int64_t{1} << (one.kind.size_class - 1)) + " to " +
            std::to_string((std::int64_t{1} << one.kind.size_class) - 1) + " bytes";
  if (one.kind.user) text += ", user operators";
  return text + ": " + table::words_of(one.choice) + ", " + gain_words(one) + ", by " + std::to_string(one.calls) +
         " calls" + tried;
}

std::string with_learned(std::string_view table, const std::vector<Learned>& all, const std::string& where) {
  Rules rules(table);
  for (const Learned& one : all) rules.add(rule_of(one, where), std::numeric_limits<std::int64_t>::max());
  return rules.text();
}

std::string merged(std::string_view table, std::string_view more) {
  Rules rules(table);
  for (const table::Rule& rule : Rules(more).learned()) rules.add(rule, calls_of(rule));
  return rules.text();
}

}  // namespace mpigraft::learning
