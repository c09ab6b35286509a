// SPDX-License-Identifier: MIT
#include "config/learning/learned.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "algorithms/catalogue.hpp"
#include "config/table/canonical.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::learning {
namespace {

using Json = nlohmann::ordered_json;

Json range(std::int64_t min, std::int64_t max) { return {{"min", min}, {"max", max}}; }

bool needs_commutative(const table::Choice& choice) {
  return choice.algorithm != table::native && listed[static_cast<std::size_t>(choice.algorithm)].info->commutative;
}

std::string gain_words(const Learned& one) {
  if (one.choice == one.before) return "nothing is faster, of what was tried";
  std::array<char, 96> text;
  std::snprintf(text.data(), text.size(), "%.3g times the speed of %s", one.gain, table::words_of(one.before).c_str());
  return text.data();
}

Json rule_of(const Learned& one, const std::string& where) {
  const std::string_view name = name_of(one.choice);
  Json rule{{"collective", name_of(one.kind.collective)},
            {"algorithm", name.substr(name.find('/') + 1)},
            {"ranks", range(one.ranks, one.ranks)},
            {"nodes", range(one.nodes, one.nodes)},
            {"ranks_per_node", range(one.ranks_per_node.min, one.ranks_per_node.max)},
            {"crowded", one.crowded}};
  if (one.kind.size_class > 0)
    rule["bytes"] = range(std::int64_t{1} << (one.kind.size_class - 1), (std::int64_t{1} << one.kind.size_class) - 1);
  if (one.kind.user)
    rule["operator"] = "user";
  else if (needs_commutative(one.choice))
    rule["operator"] = "commutative";
  if (one.choice.segment != 0) rule["segment"] = table::format_segment(one.choice.segment);
  if (one.choice.ports != 0) rule["ports"] = one.choice.ports;
  if (one.choice.barrier) rule["barrier"] = true;
  rule["note"] = std::string(learned_mark) + gain_words(one) + ", by " + std::to_string(one.calls) + " calls; " + where;
  return rule;
}

bool was_learned(const Json& rule) {
  return rule.contains("note") && rule["note"].get_ref<const std::string&>().starts_with(learned_mark);
}

/// Whether both, in the canonical form, are for the same calls; learned rules name all that they ask for.
bool same_calls(const Json& a, const Json& b) {
  const auto user = [](const Json& rule) { return rule.value("operator", "") == "user"; };
  const bool same =
      std::ranges::all_of(std::array{"collective", "ranks", "nodes", "ranks_per_node", "crowded", "bytes"},
                          [&](const char* key) { return a.value(key, Json()) == b.value(key, Json()); });
  return same && user(a) == user(b);
}

/// The figure in ", by N calls".
std::int64_t calls_of(const Json& rule) {
  const std::string& note = rule["note"].get_ref<const std::string&>();
  const std::size_t by = note.find(", by ");
  std::int64_t calls = 0;
  if (by != note.npos) std::sscanf(note.c_str() + by, ", by %ld calls", &calls);
  return calls;
}

/// Rules for user operators come first: the others match them, too.
void put_before(Json& rules, const Json& rule) {
  const bool user = rule.value("operator", "") == "user";
  auto at = rules.begin();
  while (!user && at != rules.end() && was_learned(*at) && at->value("operator", "") == "user") ++at;
  rules.insert(at, rule);
}

/// The text with its rules as the canonical form has them: sizes as words.
std::string finished(const Json& document) { return table::canonical(document.dump()); }

}  // namespace

std::string describe(const Learned& one) {
  std::string text = std::string(name_of(one.kind.collective)) + ", " + std::to_string(one.ranks) + " ranks";
  if (one.kind.size_class > 0)
    text += ", " + std::to_string(std::int64_t{1} << (one.kind.size_class - 1)) + " to " +
            std::to_string((std::int64_t{1} << one.kind.size_class) - 1) + " bytes";
  if (one.kind.user) text += ", user operators";
  return text + ": " + table::words_of(one.choice) + ", " + gain_words(one) + ", by " + std::to_string(one.calls) +
         " calls";
}

std::string with_learned(std::string_view table, const std::vector<Learned>& all, const std::string& where) {
  Json document = Json::parse(table::canonical(table));
  Json& rules = document["rules"];
  Json fresh{{"version", 1}, {"rules", Json::array()}};
  for (const Learned& one : all) fresh["rules"].push_back(rule_of(one, where));
  fresh = Json::parse(table::canonical(fresh.dump()));
  for (const Json& rule : fresh["rules"]) {
    const auto old = [&](const Json& other) { return was_learned(other) && same_calls(other, rule); };
    rules.erase(std::remove_if(rules.begin(), rules.end(), old), rules.end());
    put_before(rules, rule);
  }
  return finished(document);
}

std::string merged(std::string_view table, std::string_view more) {
  Json document = Json::parse(table::canonical(table));
  Json& rules = document["rules"];
  const Json others = Json::parse(table::canonical(more));
  for (const Json& rule : others["rules"]) {
    if (!was_learned(rule)) continue;
    const auto known =
        std::ranges::find_if(rules, [&](const Json& other) { return was_learned(other) && same_calls(other, rule); });
    if (known == rules.end())
      put_before(rules, rule);
    else if (calls_of(rule) > calls_of(*known))
      *known = rule;
  }
  return finished(document);
}

}  // namespace mpigraft::learning
