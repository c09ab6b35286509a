// SPDX-License-Identifier: MIT
// mpigraft explain
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/command/command.hpp"
#include "config/command/explain.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/selection.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

namespace {

std::string_view operator_of(const table::Query& query) {
  if (!info_of(query.collective).combines()) return "none";
  if (!query.commutative) return "noncommutative";
  return query.user ? "user" : "commutative";
}

std::string ranks_per_node_of(const analysis::Placing& placing, std::int64_t ranks) {
  const std::string each = std::to_string(std::min(placing.ranks_per_node, ranks));
  return placing.of_this_machine ? each + " (of this machine's " + std::to_string(placing.ranks_per_node) + " cores)"
                                 : each;
}

/// The call, with `more` about it, and the table.
std::string text_of(std::string_view name, const std::string& more, const table::Query& query,
                    const analysis::Placing& placing, const analysis::LoadedTable& loaded) {
  return "call: " + std::string(name) + ", ranks " + std::to_string(query.ranks) + ", bytes " +
         table::format_size(query.bytes) + ", ranks per node " + ranks_per_node_of(placing, query.ranks) +
         (query.oversubscribed ? ", oversubscribed" : "") + more + "\ntable: " + loaded.origin +
         (loaded.source == loaded.origin ? "" : " (" + loaded.source + ")") +
         (loaded.table.required.any() ? "\nrequires: " + table::describe(loaded.table.required) + " (taken as given)"
                                      : "") +
         "\nmachine: " + table::describe(loaded.table.machine) + '\n';
}

nlohmann::ordered_json document_of(const char* kind, std::string_view name, const table::Query& query,
                                   const analysis::Placing& placing, const analysis::LoadedTable& loaded) {
  return {{"call",
           {{kind, name},
            {"ranks", query.ranks},
            {"bytes", query.bytes},
            {"ranks_per_node", query.ranks_per_node.max},
            {"ranks_per_node_given", !placing.of_this_machine},
            {"oversubscribed", query.oversubscribed}}},
          {"table", {{"origin", loaded.origin}, {"source", loaded.source}}},
          {"requires", table::describe(loaded.table.required)},
          {"machine", table::describe(loaded.table.machine)}};
}

/// The rules before the one that matches, only those for the call's collective unless `all`.
std::string skipped_text(const analysis::Explanation& explanation, bool all) {
  std::string text;
  int number = 0, others = 0;
  for (const analysis::Skipped& skipped : explanation.skipped) {
    ++number;
    if (!all && skipped.of_other)
      ++others;
    else
      text += "rule " + std::to_string(number) + " (line " + std::to_string(skipped.line) +
              ") does not match: " + skipped.reason + '\n';
  }
  if (others == 0) return text;
  return text + "rules for other collectives before it: " + std::to_string(others) + " (--verbose shows them)\n";
}

std::string text_of(const table::Query& query, const ExplainOptions& options, const analysis::LoadedTable& loaded,
                    const analysis::Explanation& explanation) {
  std::string text = answer_of(loaded, explanation);
  if (explanation.rule && !explanation.rule->note.empty())
    text += "note: " + table::printable(explanation.rule->note) + '\n';
  if (explanation.choice.algorithm != table::native)
    text += "stays native: among the first " + std::to_string(table::native_first_calls) +
            " calls of a communicator other than MPI_COMM_WORLD, and more if they are short\n";
  const std::string more = ", operator " + std::string(operator_of(query)) + (query.floating ? ", floating point" : "");
  return text + text_of(name_of(query.collective), more, query, options.placing, loaded) +
         skipped_text(explanation, options.verbose);
}

nlohmann::ordered_json document_of(const table::Query& query, const ExplainOptions& options,
                                   const analysis::LoadedTable& loaded, const analysis::Explanation& explanation) {
  nlohmann::ordered_json document =
      document_of("collective", name_of(query.collective), query, options.placing, loaded);
  document["call"].update({{"operator", operator_of(query)}, {"floating", query.floating}});
  document.update({{"skipped", nlohmann::ordered_json::array()},
                   {"rule", nullptr},
                   {"algorithm", name_of(explanation.choice)},
                   {"segment", nullptr},
                   {"ports", nullptr},
                   {"barrier", explanation.choice.barrier},
                   {"rounds", nullptr},
                   {"reason", explanation.reason + explanation.further}});
  for (std::size_t i = 0; i < explanation.skipped.size(); ++i)
    if (const analysis::Skipped& skipped = explanation.skipped[i]; options.verbose || !skipped.of_other)
      document["skipped"].push_back({{"number", i + 1}, {"line", skipped.line}, {"reason", skipped.reason}});
  if (const table::Rule* rule = explanation.rule)
    document["rule"] = {{"number", explanation.skipped.size() + 1},
                        {"line", rule->line},
                        {"text", table::describe(*rule)},
                        {"note", rule->note}};
  if (explanation.choice.segment != 0) document["segment"] = table::format_segment(explanation.choice.segment);
  if (explanation.choice.ports != 0) document["ports"] = explanation.choice.ports;
  if (explanation.rounds) document["rounds"] = *explanation.rounds;
  return document;
}

/// "rule at line 3 of the table", or the model's time for each variant.
std::string reason_of(const table::VariantSelection& selected, const ExplainOptions& options, const Machine& machine,
                      std::int64_t nodes) {
  if (selected.reason == table::Reason::rule) return "rule at line " + std::to_string(selected.line) + " of the table";
  if (selected.reason == table::Reason::forced) return "MPIGRAFT_FORCE";
  if (nodes == 1) return "no rule matches, on one node";
  std::string text = "no rule matches; by the model";
  for (const Variant variant : all_variants) {
    if (!info_of(*options.composition).has(variant)) continue;
    const double seconds = hypercube_seconds(*options.composition, variant, static_cast<int>(options.ranks),
                                             static_cast<double>(options.bytes), machine);
    text += table::formatted(", %s %.3g us", name_of(variant).data(), seconds * 1e6);
  }
  return text;
}

/// True if the library makes the two calls, whatever the table and MPIGRAFT_FORCE say.
bool are_always_apart(const analysis::Explanation& second) {
  using table::Reason;
  constexpr std::array reasons{Reason::one_rank, Reason::no_bytes, Reason::refused, Reason::floating};
  return std::ranges::find(reasons, second.kind) != reasons.end();
}

int explain_composition(const ExplainOptions& options, const Situation& now) {
  const table::Query query =
      analysis::query_of(info_of(*options.composition).second, options.placing, options.ranks, options.bytes);
  const auto& forced = now.settings.force_variant[static_cast<std::size_t>(*options.composition)];
  const analysis::LoadedTable& loaded = now.loaded;
  const table::VariantSelection selected = table::variant_for(*options.composition, forced, loaded.table, query);
  const analysis::Explanation second = analysis::explain_call(query, now.settings, loaded.table);
  const bool apart = are_always_apart(second);
  const std::string reason = apart ? second.reason : reason_of(selected, options, loaded.table.machine, query.nodes);
  const std::string_view name = name_of(*options.composition),
                         variant = name_of(apart ? Variant::apart : selected.variant);
  nlohmann::ordered_json document = document_of("composition", name, query, options.placing, loaded);
  document.update({{"variant", variant}, {"reason", reason}});
  if (options.json) return print(document, ok);
  return print(
      "runs: " + std::string(variant) + " (" + reason + ")\n" + text_of(name, "", query, options.placing, loaded), ok);
}

int explain_call(const ExplainOptions& options, const Situation& now) {
  const std::int64_t bytes = info_of(*options.collective).moves_data() ? options.bytes : 0;
  const table::Query query = analysis::query_of(*options.collective, options.placing, options.ranks, bytes);
  const table::Table& table = now.loaded.table;
  analysis::Explanation explanation = analysis::explain_call(query, now.settings, table);
  if (!options.schedule.empty()) return show_schedule(options, now, query, explanation);
  explanation.rounds = analysis::rounds_of(query, explanation.choice, now.settings, table.machine);
  if (options.json) return print(document_of(query, options, now.loaded, explanation), ok);
  return print(text_of(query, options, now.loaded, explanation), ok);
}

int explain(const ExplainOptions& options) {
  if (!options.force.empty()) setenv("MPIGRAFT_FORCE", options.force.c_str(), 1);
  Situation now{current_settings(), {}};
  now.loaded = analysis::load_table(options.table, now.settings,
                                    options.mpi == "openmpi" ? table::Interface::openmpi : table::Interface::mpich);
  for (const auto& lines : {now.settings.errors, now.loaded.problems, now.settings.notes})
    for (const std::string& line : lines) fail(line);
  if (!now.settings.errors.empty() || !now.loaded.problems.empty()) return cannot_run;  // the library would not decide
  if (options.all) return show_map(options, now);
  return options.composition ? explain_composition(options, now) : explain_call(options, now);
}

/// An option that takes the name of a collective, or of a function of mpigraft.h.
CLI::Option* add_name(CLI::App& verb, ExplainOptions& options) {
  const auto take = [&options](const std::string& name) {
    options.collective = table::find_collective(name), options.composition = table::find_composition(name);
  };
  return verb
      .add_option_function<std::string>("--collective", take,
                                        "Collective of the call, or function of mpigraft.h. Default with --all: all")
      ->check(is_name(table::call_names));
}

/// Figures of more ranks take minutes and gigabytes.
constexpr int most_ranks = 1 << 24;

/// The option that shows a schedule, and another one that writes it.
CLI::Option* add_schedule(CLI::App& verb, ExplainOptions& options) {
  auto* schedule =
      verb.add_flag("--schedule", options.schedule,
                    "Show what each rank sends in each round, and its price; with --schedule=RANK, this rank's steps");
  schedule->type_name("RANK")->check([](const std::string& text) {
    return text == "true" || table::parse_count(text) ? "" : table::in_quotes(text) + " is not a rank";
  });
  add_word(verb, "--goal", options.goal, "Write the schedule into this file as GOAL text, the input of LogGOPSim")
      ->needs(schedule);
  return schedule;
}

}  // namespace

std::string answer_of(const analysis::LoadedTable& loaded, const analysis::Explanation& explanation) {
  std::string text = "runs: " + table::words_of(explanation.choice);
  if (explanation.rounds) text += ", rounds " + std::to_string(*explanation.rounds);
  const table::Rule* rule = explanation.rule;
  if (!rule) return text + " (" + explanation.reason + explanation.further + ")\n";
  return text + " (rule " + std::to_string(explanation.skipped.size() + 1) + " at line " + std::to_string(rule->line) +
         " of " + (loaded.origin == "embedded" ? "the embedded table" : loaded.origin) + ": " + table::describe(*rule) +
         explanation.further + ")\n";
}

Action add_explain(CLI::App& verb) {
  auto options = std::make_shared<ExplainOptions>();
  auto* name = add_name(verb, *options);
  auto* ranks = verb.add_option("--ranks", options->ranks, "Size of the communicator")
                    ->type_name("RANKS")
                    ->check(CLI::Range(1, most_ranks).description(""));
  auto* bytes =
      add_parsed(verb, "--bytes", options->bytes, table::parse_size, "BYTES",
                 "Packed size of one rank's data, of the whole vector for reduce_scatter and allgather, such as 64K",
                 "is not a size; write 65536, 64K, 1M or inf");
  add_placing(verb, options->placing);
  verb.add_flag("--floating", options->placing.floating,
                "The call has a floating point type, so MPIGRAFT_REPRODUCIBLE=native keeps it native");
  add_word(verb, "--table", options->table, "Tuning table instead of the one in force");
  verb.add_option("--mpi", options->mpi, "MPI whose built-in table is used where no other is in force. Default: mpich")
      ->check(CLI::IsMember({"mpich", "openmpi"}));
  auto* force = add_force(verb, options->force, "Algorithms to explain instead of the table's choice");
  auto* schedule = add_schedule(verb, *options);
  auto* json = verb.add_flag("--json", options->json, "Print JSON");
  auto* verbose = verb.add_flag("--verbose", options->verbose, "Show the rules for other collectives, too");
  auto* all = verb.add_flag("--all", options->all, "Show a map of ranks and bytes instead, for one collective or all");
  add_word(verb, "--html", options->html, "Write the map of --all into this file as one self-contained page")
      ->needs(all);
  for (CLI::Option* other : {ranks, bytes, json, verbose, force, schedule}) all->excludes(other);
  end_help(verb, R"(
  mpigraft explain --collective exscan --ranks 36 --bytes 64K
  mpigraft explain --collective scan --ranks 8 --bytes 64K --force scan=two_tree@8K --schedule
  mpigraft explain --all --ranks-per-node 8 --html map.html)");
  return [=] {
    const bool moves_data = !options->collective || info_of(*options->collective).moves_data();
    if (!options->all)
      for (const CLI::Option* wanted : {name, ranks, bytes})
        if (wanted->empty() && (wanted != bytes || moves_data))
          throw CLI::RequiredError(wanted->get_name() + " or --all");
    if (options->composition && (options->all || !options->schedule.empty()))
      throw CLI::ValidationError("--collective", "functions of mpigraft.h have no map and no schedule of their own");
    return explain(*options);
  };
}

}  // namespace mpigraft::command
