// SPDX-License-Identifier: MIT
#include "config/table/table.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/info.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

bool matches_operator(const Rule& rule, const Query& query) {
  if (!info_of(query.collective).combines()) return true;
  if (needs_commutative(rule.choice) && !query.commutative) return false;
  if (rule.op == OperatorClass::user) return query.user;
  return rule.op == OperatorClass::any || query.commutative == (rule.op == OperatorClass::commutative);
}

}  // namespace

bool needs_commutative(const Choice& choice) {
  return choice.algorithm != native && info_of(choice.algorithm).commutative;
}

std::int64_t whole_up_to(const Choice& choice) {
  if (choice.algorithm == native) return unlimited;
  return whole_up_to(info_of(choice.algorithm), choice.segment);
}

std::string_view name_of(Choice choice) {
  return choice.algorithm == native ? "native" : listed[static_cast<std::size_t>(choice.algorithm)].name;
}

std::string flat_words(int algorithm, std::string_view because) {
  return std::string("; flat form of ").append(name_of(Choice{algorithm})).append(": ").append(because);
}

Params params_of(const Choice& choice, const Machine& machine) {
  Params params{.segment = choice.segment, .barrier = choice.barrier, .machine = machine};
  if (choice.ports > 0) params.ports = choice.ports;
  return params;
}

std::string describe(std::string_view file, const Finding& finding) {
  std::string line(file);
  line += ':' + std::to_string(finding.line) + ':' + std::to_string(finding.column) + ": ";
  if (finding.severity != Severity::error) line.append(name_of(finding.severity)).append(": ");
  if (!finding.pointer.empty()) line += finding.pointer + ": ";
  line += finding.message;
  if (!finding.hint.empty()) line += "; " + finding.hint;
  return printable(line);
}

std::string describe(Range range) { return format_size(range.min) + ".." + format_size(range.max); }

std::string describe(const Requirements& required) {
  std::string text;
  if (!required.mpi.empty()) text += "mpi " + in_quotes(required.mpi);
  if (!required.host.empty()) text += (text.empty() ? "host " : ", host ") + in_quotes(required.host);
  return printable(text);
}

std::string describe(const Rule& rule) {
  std::string text(name_of_call(rule));
  const auto add_range = [&](std::string_view key, Range range) {
    if (range != Range{}) text.append(" ").append(key).append(" ").append(describe(range));
  };
  add_range("ranks", rule.ranks);
  add_range("bytes", rule.bytes);
  add_range("nodes", rule.nodes);
  add_range("ranks_per_node", rule.ranks_per_node);
  if (rule.oversubscribed) text.append(*rule.oversubscribed ? " oversubscribed" : " not oversubscribed");
  if (rule.op != OperatorClass::any) text.append(" operator ").append(name_of(rule.op));
  return text + ": " + (rule.composition ? std::string(name_of(rule.variant)) : words_of(rule.choice));
}

Range decided_bytes(const Rule& rule, bool user) {
  Range bytes = rule.bytes;
  if (user && rule.op != OperatorClass::user && info_of(rule.collective).combines_whole_vectors())
    bytes.max = std::min(bytes.max, whole_up_to(rule.choice));
  return bytes;
}

std::string_view mismatch(const Conditions& conditions, const Query& query) {
  if (!conditions.ranks.contains(query.ranks)) return "ranks";
  if (!conditions.bytes.contains(query.bytes)) return "bytes";
  if (!conditions.nodes.contains(query.nodes)) return "nodes";
  if (!conditions.ranks_per_node.contains(query.ranks_per_node)) return "ranks_per_node";
  if (conditions.oversubscribed && *conditions.oversubscribed != query.oversubscribed) return "oversubscribed";
  return {};
}

std::string_view mismatch(const Rule& rule, const Query& query) {
  if (!rule.is_for(query.collective)) return "collective";
  const Conditions& conditions = rule;
  if (const std::string_view key = mismatch(conditions, query); !key.empty()) return key;
  if (!matches_operator(rule, query)) return "operator";
  if (!decided_bytes(rule, query.user).contains(query.bytes)) return "algorithm";
  return {};
}

const Rule* find_rule(std::span<const Rule> rules, const Query& query) {
  const auto found = std::ranges::find_if(rules, [&](const Rule& rule) { return mismatch(rule, query).empty(); });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace mpigraft::table
