// SPDX-License-Identifier: MIT
#include "config/analysis/lint.hpp"

#include <algorithm>
#include <set>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "config/analysis/region.hpp"
#include "config/table/checked_json.hpp"
#include "config/table/selection.hpp"
#include "config/table/size.hpp"

namespace mpigraft::analysis {

using table::Rule;

namespace {

using Rules = std::vector<const Rule*>;
using Dimension = table::Range Rule::*;

/// True if there are calls with so many nodes to which the rule's other conditions apply.
bool could_have(const Rule& rule, table::Range nodes) {
  Rule changed = rule;
  changed.nodes = nodes;
  return !region_of(changed).empty();
}

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

/// Calls between two rules that differ only in bytes, or only in ranks, and perhaps in operator. No rule of the
/// collective is for these calls, whatever their nodes and operator.
struct Gap {
  const table::Rule *below, *above;
  std::string_view key;  // what the two differ in
  Region region;
};

/// All gaps between rules of one collective.
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

class Linter : table::CheckedJson {
 public:
  Linter(const table::JsonValue& root, const table::ParsedTable& parsed) : CheckedJson(root), parsed_(parsed) {
    findings_ = parsed.findings;
    constexpr std::string_view prefix = "/rules/";
    for (const table::Finding& finding : parsed.findings)
      if (finding.pointer.starts_with(prefix)) broken_.insert(std::stoul(finding.pointer.substr(prefix.size())));
  }

  /// Those of the parser, too.
  std::vector<table::Finding> all_findings() {
    for (const Collective collective : all_collectives) {
      const Rules rules = matching([=](const Rule& rule) { return rule.is_for(collective); });
      for (const Rule* rule : rules) check_needs(*rule);
      for (const Rule* rule : rules) check_options(*rule);
      check_gaps(rules);
    }
    for (std::size_t i = 0; i < composition_count; ++i)
      matching([=](const Rule& rule) { return rule.composition == static_cast<Composition>(i); });
    findings_.insert(findings_.end(), parsed_.notes.begin(), parsed_.notes.end());
    return sorted_findings();
  }

 private:
  /// The rules for some calls that can match. Warns of others, and of those that no call reaches.
  Rules matching(auto is_for_them) {
    Rules rules;
    for (const Rule& rule : parsed_.table.rules) {
      if (!is_for_them(rule) || broken_.contains(index(rule)) || never_matches(rule)) continue;
      check_reached(rule, rules);
      rules.push_back(&rule);
    }
    return rules;
  }

  /// Adds a finding at a key of the rule, or at the rule itself if it has no such key.
  void add(const Rule& rule, std::string_view key, std::string message, std::string hint,
           table::Severity severity = table::Severity::warning) {
    const table::JsonValue& whole = find_member(root_, "rules")->items[index(rule)];
    const table::JsonValue* const at = find_member(whole, key);
    CheckedJson::add(at ? *at : whole, std::move(message), std::move(hint), severity);
  }

  std::string words(const Rule& rule) const {
    return "rule " + std::to_string(index(rule) + 1) + " (line " + std::to_string(rule.line) + ")";
  }

  std::string words(const Rules& rules) const {
    constexpr std::size_t shown = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(rules.size(), shown); ++i)
      text += (i == 0 ? "" : i + 1 == rules.size() ? " and " : ", ") + words(*rules[i]);
    if (rules.size() > shown) text += " and " + std::to_string(rules.size() - shown) + " more";
    return text;
  }

  bool never_matches(const Rule& rule) {
    const auto warn = [&](std::string_view key, const std::string& message, std::string hint = "remove it") {
      add(rule, key, message + ": the rule never matches", std::move(hint));
      return true;
    };
    if (rule.ranks.max < 2) return warn("ranks", "a call on one rank is native anyway");
    if (rule.bytes.max < 1) return warn("bytes", "a call without data is native anyway");
    if (!rule.composition && info_of(rule.collective).has_parts() && rule.bytes.min > table::longest_in_parts)
      return warn("bytes", "a call whose parts have more than " + table::format_size(table::longest_in_parts) +
                               " bytes in all is native anyway");
    if (rule.nodes.max < 1) return warn("nodes", "a communicator has at least one node");
    if (rule.ranks_per_node.max < 1) return warn("ranks_per_node", "a node has at least one rank");
    if (region_of(rule).empty())
      return warn(rule.nodes == table::Range{} ? "ranks_per_node" : "nodes",
                  "no communicator has these numbers of ranks, nodes and ranks per node together");
    if (!regions_of(rule).empty()) return false;
    return warn("operator",
                std::string(name_of(rule.choice)) +
                    " may cut the vector, and a user operator gets parts only from rules for \"user\"",
                "write \"operator\": \"user\"");
  }

  void check_reached(const Rule& rule, const Rules& before) {
    const Remainder left = remainder(regions_of(rule), before);
    if (!left.regions.empty()) return;
    const bool one = left.takers.size() == 1;
    add(rule, "", "unreachable: " + words(left.takers) + (one ? " matches" : " match") + " all its calls first",
        "remove it, or move it up");
  }

  /// Reports requirements of the algorithm that the rule's calls never meet.
  void check_needs(const Rule& rule) {
    if (rule.choice.algorithm == table::native) return;
    const AlgorithmInfo& info = info_of(rule.choice.algorithm);
    const Region calls = region_of(rule);
    const std::string name(name_of(rule.choice));
    const auto flat = [&] { return std::string(name_of(table::Choice{flat_form(rule.choice.algorithm)})); };
    if (info.placement == Placement::one && calls.nodes.min > 1)
      add(rule, "algorithm", name + " needs one node, but the rule is for several: " + flat() + " always runs instead",
          "name " + flat() + (could_have(rule, {1, 1}) ? ", or ask for \"nodes\": 1" : ""));
    else if (info.placement == Placement::one && calls.ranks.min > max_readers)
      add(rule, "algorithm",
          name + " is for at most " + std::to_string(max_readers) + " ranks: " + flat() + " always runs instead",
          "name " + flat() + ", or ask for fewer \"ranks\"");
    else if (info.placement != Placement::any && info.placement != Placement::one && calls.nodes.max == 1)
      add(rule, "algorithm",
          name + " needs several nodes, or several cache groups of one: elsewhere " + flat() + " runs",
          could_have(rule, {.min = 2}) ? "if you mean nodes, ask for \"nodes\": {\"min\": 2}" : "",
          table::Severity::note);
    if (rule.choice.ports > 0 && rule.choice.ports > calls.ranks.max - 1)
      add(rule, "ports",
          std::to_string(rule.choice.ports) + " ports, but a rank has at most " + std::to_string(calls.ranks.max - 1) +
              (calls.ranks.max == 2 ? " other" : " others"),
          "write " + std::to_string(calls.ranks.max - 1) + ", or leave it out");
  }

  void check_options(const Rule& rule) {
    const std::int64_t segment = rule.choice.segment;
    if (segment == 0) return;
    const AlgorithmInfo& info = info_of(rule.choice.algorithm);  // native takes none
    const bool cut =
        info.pipelined || (info.placement != Placement::any && info_of(flat_form(rule.choice.algorithm)).pipelined);
    if (!cut)
      add(rule, "segment", std::string(name_of(rule.choice)) + " does not work in segments: \"segment\" has no effect",
          "remove it");
    else if (segment != table::unsegmented && segment > rule.bytes.max)
      add(rule, "segment",
          "a segment of " + table::format_size(segment) + " never cuts the rule's vectors, which have at most " +
              table::format_size(rule.bytes.max) + " bytes",
          "write a smaller one, or \"none\"");
  }

  void check_gaps(const Rules& rules) {
    for (const Gap& gap : gaps(rules))
      add(*gap.above, gap.key,
          "no rule for ranks " + table::describe(gap.region.ranks) + ", bytes " + table::describe(gap.region.bytes) +
              ", between " + words(*gap.below) + " and this one: native",
          "if you mean that, add a rule that names native", table::Severity::note);
  }

  std::size_t index(const Rule& rule) const { return static_cast<std::size_t>(&rule - parsed_.table.rules.data()); }

  const table::ParsedTable& parsed_;
  std::set<std::size_t> broken_;  // rules with errors
};

}  // namespace

table::ParsedTable check_table(std::string_view text) {
  table::JsonDocument document = table::read_json(text);
  if (document.error) return {{}, {*std::move(document.error)}, {}};
  table::ParsedTable parsed = table::parse_table(document.root);
  if (parsed.table.rules.empty()) return parsed;
  parsed.findings = Linter(document.root, parsed).all_findings();
  return parsed;
}

}  // namespace mpigraft::analysis
