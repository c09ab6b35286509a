// SPDX-License-Identifier: MIT
// mpigraft check, fmt, merge, diff
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "config/analysis/lint.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/learning/learned.hpp"
#include "config/table/choice.hpp"
#include "config/table/files.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

using Row = std::vector<std::string>;

nlohmann::ordered_json document_of(const std::string& path, const table::ParsedTable& parsed) {
  auto findings = nlohmann::ordered_json::array();
  for (const table::Finding& finding : parsed.findings)
    findings.push_back({{"severity", name_of(finding.severity)},
                        {"pointer", finding.pointer},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message},
                        {"hint", finding.hint}});
  return {{"file", path}, {"rules", parsed.table.rules.size()}, {"findings", findings}};
}

std::string text_of(const std::string& path, const table::ParsedTable& parsed, bool usable) {
  std::string text;
  for (const table::Finding& finding : parsed.findings) text += table::describe(path, finding) + '\n';
  if (!usable) return text;
  text += path + ": ok, rules: " + std::to_string(parsed.table.rules.size());
  if (parsed.table.required.any()) text += ", requires: " + table::describe(parsed.table.required);
  return text + ", machine: " + table::describe(parsed.table.machine) + '\n';
}

/// Reads a table. Returns none, after telling why, if it cannot be read or has errors.
std::optional<table::LoadedTable> read_good_table(const std::string& path) {
  table::LoadedTable loaded = table::load(table::read_table(path));
  for (const std::string& problem : loaded.problems) fail(problem);
  return loaded.problems.empty() ? std::optional(std::move(loaded)) : std::nullopt;
}

/// The rules for a function of mpigraft.h, as text.
std::string rules_for(const table::Table& table, std::size_t composition) {
  std::string text;
  for (const table::Rule& rule : table.rules)
    if (rule.composition == static_cast<Composition>(composition))
      text += (text.empty() ? "" : "; ") + table::describe(rule);
  return text;
}

/// Rows for differences outside of the rules for MPI's calls; `with_compositions`: also in those for mpigraft.h's.
std::vector<Row> compared_heads(const table::Table& before, const table::Table& after, bool with_compositions) {
  std::vector<Row> rows;
  const auto compare = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) rows.push_back({what, a.empty() ? "nothing" : a, b.empty() ? "nothing" : b});
  };
  compare("machine:", table::describe(before.machine), table::describe(after.machine));
  compare("scratch:", table::format_size(before.scratch), table::format_size(after.scratch));
  compare("requires:", table::describe(before.required), table::describe(after.required));
  for (std::size_t i = 0; with_compositions && i < composition_count; ++i)
    compare(std::string(compositions[i].name) + ':', rules_for(before, i), rules_for(after, i));
  return rows;
}

struct DiffOptions {
  std::string before, after;
  std::optional<Collective> collective;  // none: all
  analysis::Placing placing;
};

std::vector<Row> compared_rules(const table::Table& before, const table::Table& after, const DiffOptions& options) {
  std::vector<Row> rows{{"COLLECTIVE", "RANKS", "BYTES", "BEFORE", "AFTER"}};
  for (const Collective collective : all_collectives) {
    if (options.collective && options.collective != collective) continue;
    for (const analysis::Difference& d : analysis::differences(before, after, collective, options.placing))
      rows.push_back({std::string(name_of(collective)), table::describe(d.ranks), table::describe(d.bytes),
                      words_of(d.before), words_of(d.after)});
  }
  if (rows.size() == 1) rows.clear();
  return rows;
}

struct CheckOptions {
  std::string file;
  bool json = false, strict = false;
};

int check(const CheckOptions& options) {
  const table::TableFile file = table::read_table(options.file);
  if (!file.error.empty()) return fail(file.error);
  const table::ParsedTable parsed = analysis::check_table(file.text);
  const auto any = [&](table::Severity severity) {
    return std::ranges::find(parsed.findings, severity, &table::Finding::severity) != parsed.findings.end();
  };
  const bool usable = !any(table::Severity::error);
  const int status = usable && !(options.strict && any(table::Severity::warning)) ? ok : found_problems;
  if (options.json) return print(document_of(options.file, parsed), status);
  return print(text_of(options.file, parsed, usable), status);
}

/// Prints the table in its canonical form, or if `write` rewrites the file in it.
int fmt(const std::string& path, bool write) {
  const std::optional<table::LoadedTable> read = read_good_table(path);
  if (!read) return cannot_run;
  const std::string text = table::canonical(read->table);
  if (!write) return print(text, ok);
  const std::string problem = text == read->text ? "" : table::replace_file(path, text);
  return problem.empty() ? ok : fail(problem);
}

/// Prints the first table with what the others have learned.
int merge(const std::vector<std::string>& files) {
  std::optional<table::Table> all;
  for (const std::string& path : files) {
    const std::optional<table::LoadedTable> read = read_good_table(path);
    if (!read) return cannot_run;
    if (all && std::ranges::none_of(read->table.rules, &table::Rule::is_learned))
      fail(path + ": no rule in it was learned, so it adds none");
    all = all ? learning::merged(*std::move(all), read->table) : read->table;
  }
  const std::string text = table::canonical(*all);
  if (text.size() > table::max_table_bytes)
    return fail("the merged table is larger than a table may be (1 MiB); merge fewer files");
  return print(text, ok);
}

int diff(const DiffOptions& options) {
  std::vector<table::Table> tables;
  for (const std::string& path : {options.before, options.after}) {
    const std::optional<table::LoadedTable> read = read_good_table(path);
    if (!read) return cannot_run;
    tables.push_back(read->table);
  }
  std::string text;
  for (const Row& row : compared_heads(tables[0], tables[1], !options.collective))
    text += row[0] + ' ' + row[1] + " -> " + row[2] + '\n';
  const std::string rules = columns(compared_rules(tables[0], tables[1], options));
  const analysis::Placing& placing = options.placing;
  const std::string ranks = std::to_string(placing.ranks_per_node);
  if (rules.empty() && text.empty() && canonical(tables[0]) != canonical(tables[1]))
    fail("the tables choose alike for " + ranks + " ranks a node" +
         (placing.oversubscribed ? ", oversubscribed, and " : ", each with a core, and ") +
         (placing.user ? "user-defined" : "predefined") + " operators" +
         (placing.commutative ? "" : " that do not commute"));
  if (!rules.empty() && placing.of_this_machine)
    text += "ranks per node: " + ranks + ", the cores of this machine (--ranks-per-node)\n";
  text += rules;
  return print(text, text.empty() ? ok : found_problems);
}

}  // namespace

Action add_check(CLI::App& verb) {
  auto options = std::make_shared<CheckOptions>();
  verb.add_option("FILE", options->file, "Tuning table")->required();
  verb.add_flag("--json", options->json, "Print JSON");
  verb.add_flag("--strict", options->strict, "Exit with 1 on warnings, too");
  end_help(verb, R"(
  mpigraft check table.json
  mpigraft check --strict --json table.json)");
  return [options] { return check(*options); };
}

Action add_fmt(CLI::App& verb) {
  auto file = std::make_shared<std::string>();
  auto write = std::make_shared<bool>(false);
  verb.add_option("FILE", *file, "Tuning table")->required();
  verb.add_flag("--write", *write, "Rewrite the file instead of printing");
  end_help(verb, R"(
  mpigraft fmt table.json
  mpigraft fmt --write table.json)");
  return [=] { return fmt(*file, *write); };
}

Action add_merge(CLI::App& verb) {
  auto files = std::make_shared<std::vector<std::string>>();
  verb.add_option("FILES", *files, "Tuning tables: first the one to add to, then those with learned rules")
      ->required()
      ->expected(2, -1);
  end_help(verb, R"(
  mpigraft merge site.json learned.json > both.json
  mpigraft merge mine.json first_job.json second_job.json > all.json)",
           "If two rules are for the same calls, the one that was learned from more calls (MPIGRAFT_LEARN) stays.");
  return [files] { return merge(*files); };
}

Action add_diff(CLI::App& verb) {
  auto options = std::make_shared<DiffOptions>();
  verb.add_option("BEFORE", options->before, "Tuning table before a change")->required();
  verb.add_option("AFTER", options->after, "Tuning table after it")->required();
  add_collective(verb, options->collective, "Collective to compare. Default: all");
  add_placing(verb, options->placing);
  end_help(verb, R"(
  mpigraft diff old.json new.json
  mpigraft diff old.json new.json --collective bcast --ranks-per-node 8 --oversubscribed)");
  return [options] { return diff(*options); };
}

}  // namespace mpigraft::command
