// SPDX-License-Identifier: MIT
#include "config/analysis/explanation.hpp"

#include <algorithm>
#include <stdexcept>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/schedule/compile.hpp"
#include "config/table/size.hpp"

namespace mpigraft::analysis {

using table::Reason;

namespace {

/// Steps of all ranks, or nodes that each of them looks at, which are counted in a tenth of a second.
constexpr std::int64_t most_counted = std::int64_t{1} << 20;

std::string outside(std::string_view what, table::Range values, table::Range range) {
  const std::string shown = values.min == values.max ? table::format_size(values.min) : table::describe(values);
  return std::string(what) + ' ' + shown + " is outside " + table::describe(range);
}

std::string cutting(const table::Choice& choice) {
  const std::int64_t whole = whole_up_to(choice);
  return std::string(name_of(choice)) + " may cut " +
         (whole == 0 ? "the vector" : "a vector above " + table::format_size(whole)) +
         ", and a user operator gets parts only from rules with \"operator\": \"user\"";
}

std::string reason_of(std::string_view key, const table::Rule& rule, const table::Query& query) {
  if (key == "collective") return "it is for " + std::string(name_of_call(rule));
  if (key == "ranks") return outside("ranks", {query.ranks, query.ranks}, rule.ranks);
  if (key == "bytes") return outside("bytes", {query.bytes, query.bytes}, rule.bytes);
  if (key == "nodes") return outside("nodes", {query.nodes, query.nodes}, rule.nodes);
  if (key == "ranks_per_node") return outside("ranks per node", query.ranks_per_node, rule.ranks_per_node);
  if (key == "oversubscribed")
    return query.oversubscribed ? "it is for nodes with a core for every rank"
                                : "it is for nodes with more ranks than cores";
  if (key == "algorithm") return cutting(rule.choice);
  if (rule.op == table::OperatorClass::user) return "the operator is predefined";
  return query.commutative ? "the operator is commutative" : "the operator is not commutative";
}

/// The first ranks of the nodes, as the library finds them if every node has ranks_per_node.max consecutive ranks.
std::vector<int> first_ranks(const table::Query& query) {
  std::vector<int> nodes;
  for (std::int64_t first = 0; first < query.ranks; first += query.ranks_per_node.max)
    nodes.push_back(static_cast<int>(first));
  return nodes;
}

/// The first ranks of the cache groups that MPIGRAFT_NODES simulates in MPI_COMM_WORLD; no others are known here.
std::vector<int> first_of_cache_groups(const table::Query& query, const table::SimulatedGroups& cache_groups) {
  std::vector<int> first;
  for (int rank = 0; cache_groups.any() && rank < query.ranks; ++rank)
    if (rank == 0 || cache_groups.of(rank) != cache_groups.of(rank - 1)) first.push_back(rank);
  return first;
}

std::string words_of(const table::Selection& found, const table::Settings& settings) {
  if (found.reason == Reason::refused)
    return settings.disable ? "MPIGRAFT_DISABLE=1: every call is native" : "the site has switched mpigraft off";
  // only MPIGRAFT_FORCE can name an algorithm that cannot run: in a table, its rule does not match
  if (found.reason == Reason::commutative)
    return "MPIGRAFT_FORCE names " + std::string(name_of(table::Choice{found.unfit})) +
           ", which needs a commutative operator: " +
           (settings.strict ? "an MPI error (MPIGRAFT_FORCE=strict)" : "native");
  return std::string(table::words_of(found));
}

}  // namespace

LoadedTable load_table(const std::string& option, const table::Settings& settings, table::Interface interface) {
  const std::string named = option.empty() ? table::path_from_environment(settings) : option;
  LoadedTable loaded{table::load(table::read_table_file(named, table::site_table_path(), interface)), "embedded"};
  if (!option.empty())
    loaded.source = "--table";
  else if (!settings.table.empty())
    loaded.source = "MPIGRAFT_TABLE";
  else if (!named.empty())
    loaded.source = "MPIGRAFT_LEARN";
  else if (loaded.origin == table::site_table_path())
    loaded.source = site_file;
  return loaded;
}

table::Selection selection_of(const table::Query& query, const table::Settings& settings, const table::Table& table) {
  const table::Selection found = table::named(table::policy_of(settings, query.collective), table.rules, query);
  if (found.choice.algorithm == table::native) return found;
  const std::vector<int> nodes = first_ranks(query), cache_groups = first_of_cache_groups(query, settings.cache_groups);
  return table::placed(found, query, {.nodes = nodes, .cache_groups = cache_groups, .shares = settings.shared});
}

Operation operation_of(const table::Query& query, const table::Choice& choice, const table::Settings& settings,
                       const Machine& machine) {
  Operation operation{first_ranks(query), first_of_cache_groups(query, settings.cache_groups),
                      table::params_of(choice, machine), 0};
  Params& params = operation.params;
  params.nodes = groups_of(info_of(choice.algorithm).placement, operation.nodes, operation.cache_groups);
  if (query.nodes == 1 && settings.shared) params.largest_block = table::segment_in_caches;
  if (!info_of(query.collective).combines() || query.bytes % params.element_bytes != 0) params.element_bytes = 1;
  operation.elements = query.bytes / params.element_bytes;
  return operation;
}

std::optional<int> rounds_of(const table::Query& query, const table::Choice& choice, const table::Settings& settings,
                             const Machine& machine) {
  if (choice.algorithm == table::native) return {};
  const Operation operation = operation_of(query, choice, settings, machine);
  const AlgorithmInfo& info = info_of(choice.algorithm);
  const int ranks = static_cast<int>(query.ranks);
  schedule::Schedule one;
  schedule::Compiler().compile(info, ranks, ranks / 2, operation.elements, false, operation.params, one);
  const std::size_t of_a_rank = std::max(one.steps.size(), operation.params.nodes.size());
  if (static_cast<std::int64_t>(of_a_rank) * ranks > most_counted) return {};
  try {
    return model::cost_of(model::record(info, ranks, operation.elements, operation.params)).rounds;
  } catch (const std::length_error&) {  // more elements than a recording has room for
    return {};
  }
}

Explanation explain_call(const table::Query& query, const table::Settings& settings, const table::Table& table) {
  const table::Selection found = selection_of(query, settings, table);
  Explanation result{.choice = found.choice, .kind = found.reason, .reason = words_of(found, settings), .skipped = {}};
  if (found.reason == Reason::rule) result.rule = &table.rules[static_cast<std::size_t>(found.rule)];
  if (found.reason == Reason::rule || found.reason == Reason::whole || found.reason == Reason::no_rule)
    for (const table::Rule& rule : table.rules) {
      if (&rule == result.rule) break;
      const std::string reason = reason_of(table::mismatch(rule, query), rule, query);
      result.skipped.push_back({rule.line, reason, !rule.is_for(query.collective)});
    }
  if (result.choice.algorithm == table::native) return result;
  if (found.flat_of != table::native) result.further += table::flat_words(found.flat_of, found.flat_because);
  if (settings.float_native && info_of(query.collective).combines())
    result.further += "; floating point types stay native: MPIGRAFT_REPRODUCIBLE=native";
  return result;
}

}  // namespace mpigraft::analysis
