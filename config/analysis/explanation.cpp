// SPDX-License-Identifier: MIT
#include "config/analysis/explanation.hpp"

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "config/table/size.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft {

namespace {

std::string outside(std::string_view what, Range values, Range range) {
  const std::string shown = values.min == values.max ? format_size(values.min) : describe(values);
  return std::string(what) + ' ' + shown + " is outside " + describe(range);
}

std::string cutting(const Choice& choice) {
  const std::int64_t whole = whole_up_to(choice);
  return std::string(name_of(choice)) + " may cut " +
         (whole == 0 ? "the vector" : "a vector above " + format_size(whole)) +
         ", and a user operator gets parts only from rules with \"operator\": \"user\"";
}

std::string reason_of(std::string_view key, const Rule& rule, const Query& query) {
  if (key == "collective") return "it is for " + std::string(name_of(rule.collective));
  if (key == "ranks") return outside("ranks", {query.ranks, query.ranks}, rule.ranks);
  if (key == "bytes") return outside("bytes", {query.bytes, query.bytes}, rule.bytes);
  if (key == "nodes") return outside("nodes", {query.nodes, query.nodes}, rule.nodes);
  if (key == "ranks_per_node") return outside("ranks per node", query.ranks_per_node, rule.ranks_per_node);
  if (key == "algorithm") return cutting(rule.choice);
  return rule.op == OperatorClass::user ? "the operator is predefined" : "the operator is not commutative";
}

const AlgorithmInfo& info_of(int algorithm) { return *listed[static_cast<std::size_t>(algorithm)].info; }

bool combines_floats(const Query& query) { return query.floating && query.collective != Collective::bcast; }

/// Empty where the table decides.
std::string decided_before_the_table(const Query& query, const Settings& settings, Choice& choice) {
  if (settings.disable) return "MPIGRAFT_DISABLE=1: every call is native";
  if (query.ranks == 1) return "a call on one rank is native";
  if (query.bytes == 0) return "a call without data is native";
  if (settings.float_native && combines_floats(query)) return "MPIGRAFT_FLOAT=native";
  const auto& forced = settings.force[static_cast<std::size_t>(query.collective)];
  if (!forced) return {};
  const bool commutes = query.commutative || query.collective == Collective::bcast;
  if (forced->algorithm == native || !info_of(forced->algorithm).commutative || commutes) {
    choice = *forced;
    return "MPIGRAFT_FORCE wins over the table";
  }
  return "MPIGRAFT_FORCE names " + std::string(name_of(*forced)) +
         ", which needs a commutative operator: " + (settings.strict ? "an MPI error (MPIGRAFT_STRICT=1)" : "native");
}

/// As the library finds them, if every node has so many consecutive ranks.
std::vector<int> first_ranks(const Query& query) {
  std::vector<int> nodes;
  for (std::int64_t first = 0; first < query.ranks; first += query.ranks_per_node.max)
    nodes.push_back(static_cast<int>(first));
  return nodes;
}

/// The flat form of the choice where the nodes are not as it wants them; appends the reason.
Choice placed(Choice choice, int ranks, const std::vector<int>& nodes, std::string& why) {
  const std::string_view because = unfit(info_of(choice.algorithm).placement, ranks, nodes);
  if (because.empty()) return choice;
  why += flat_words(choice.algorithm, because);
  choice.algorithm = flat_form(choice.algorithm);
  return choice;
}

int predicted_rounds(const Query& query, Choice choice, const Machine& machine, const std::vector<int>& nodes) {
  Params params = params_of(choice, machine);
  params.nodes = nodes;
  if (query.collective == Collective::bcast || query.bytes % params.element_bytes != 0) params.element_bytes = 1;
  const auto ranks = static_cast<int>(query.ranks);
  return info_of(choice.algorithm).theorem(ranks, query.bytes / params.element_bytes, params).rounds;
}

}  // namespace

LoadedTable load_table(const std::string& option, const Settings& settings) {
  const TableFile file = read_table_file(option.empty() ? settings.table : option);
  LoadedTable loaded{.origin = file.origin, .source = "embedded", .table = {}, .problems = {}};
  if (!option.empty())
    loaded.source = "--table";
  else if (!settings.table.empty())
    loaded.source = "MPIGRAFT_TABLE";
  else if (file.origin == site_table_path())
    loaded.source = "site file";
  if (!file.error.empty()) {
    loaded.problems.push_back(file.error);
    return loaded;
  }
  ParsedTable parsed = parse_table(file.text);
  for (const Finding& finding : parsed.findings) loaded.problems.push_back(describe(file.origin, finding));
  loaded.table = std::move(parsed.table);
  return loaded;
}

Explanation explain_call(const Query& query, const Settings& settings, const Table& table) {
  Explanation result;
  result.why = decided_before_the_table(query, settings, result.choice);
  if (result.why.empty()) {
    result.rule = find_rule(table, query);
    for (const Rule& rule : table.rules) {
      if (&rule == result.rule) break;
      result.skipped.push_back({rule.line, reason_of(mismatch(rule, query), rule, query)});
    }
    result.why = result.rule ? "the first rule that matches" : "no rule matches";
    if (result.rule) result.choice = result.rule->choice;
  }
  if (result.choice.algorithm == native) return result;
  const std::vector<int> nodes = first_ranks(query);
  result.choice = placed(result.choice, static_cast<int>(query.ranks), nodes, result.why);
  if (settings.float_native && query.collective != Collective::bcast)
    result.why += "; floating point types stay native: MPIGRAFT_FLOAT=native";
  result.rounds = predicted_rounds(query, result.choice, table.machine, nodes);
  return result;
}

}  // namespace mpigraft
