// SPDX-License-Identifier: MIT
// mpigraft env
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

/// A variable as it is now.
struct Row {
  const table::Variable* variable;
  std::string value, from;
};

Row row_of(const table::Variable& variable, const table::SiteSettings& site) {
  const table::Setting now = table::setting(variable.name, std::getenv(variable.name.data()), site);
  Row row{&variable, std::string(now.value), "default"};
  if (now.source == table::Setting::Source::environment) row.from = "environment";
  if (now.source == table::Setting::Source::site)
    row.from = now.overruled ? "site, fixed; not the environment" : "site";
  if (row.value.empty()) row.value = variable.standard;
  return row;
}

std::vector<Row> rows_of(const table::SiteSettings& site, const analysis::LoadedTable& loaded) {
  std::vector<Row> rows;
  for (const table::Variable& variable : table::variables) rows.push_back(row_of(variable, site));
  if (rows[0].value != rows[0].variable->standard) return rows;  // of MPIGRAFT_TABLE, the first one
  rows[0].value = loaded.origin;
  if (loaded.source == analysis::site_file) rows[0].from = "site's table";
  if (loaded.source == "MPIGRAFT_LEARN") rows[0].from = loaded.source;
  return rows;
}

std::string text_of(const std::vector<Row>& rows, const table::SiteSettings& site, const std::string& site_file,
                    bool verbose) {
  std::vector<std::vector<std::string>> cells{{"VARIABLE", "VALUE", "FROM"}};
  for (const Row& row : rows) cells.push_back({std::string(row.variable->name), row.value, row.from});
  std::string text = columns(cells) + "\nSite: " + site_file;
  text += site.origin.empty() ? " (there is none)\n"
          : site.enabled      ? "\n"
                              : " switches mpigraft off: every call of every job is native\n";
  if (!verbose) return text + "`mpigraft env --verbose` shows the variables' values and meanings.\n";
  for (const Row& row : rows)
    text += '\n' + std::string(row.variable->name) + '=' + std::string(row.variable->values) + '\n' +
            wrapped("  ", row.variable->meaning);
  return text;
}

nlohmann::ordered_json document_of(const std::vector<Row>& rows, const table::SiteSettings& site,
                                   const std::string& site_file, const std::vector<std::string>& problems) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (const Row& row : rows)
    all.push_back({{"name", row.variable->name},
                   {"value", row.value},
                   {"from", row.from},
                   {"values", row.variable->values},
                   {"meaning", row.variable->meaning}});
  return {{"site", {{"file", site_file}, {"exists", !site.origin.empty()}, {"enabled", site.enabled}}},
          {"variables", std::move(all)},
          {"problems", problems}};
}

const char* environment(const char* name) { return std::getenv(name); }

struct Options {
  std::string site;  // file in the place of the site's; empty: the site's
  bool verbose = false, json = false;
};

int show_environment(const Options& options) {
  const std::string site_file = options.site.empty() ? table::site_settings_path() : options.site;
  table::SiteSettings site = table::read_site_settings(site_file);
  if (site.origin.empty() && !options.site.empty()) return fail(site_file + ": there is no such file; check the path");
  const table::Settings settings = current_settings(site);
  const analysis::LoadedTable loaded = analysis::load_table({}, settings);
  std::vector<std::string> problems = table::unknown_variables(environ);
  problems.insert(problems.end(), settings.errors.begin(), settings.errors.end());
  problems.insert(problems.end(), loaded.problems.begin(), loaded.problems.end());
  for (const auto& lines : {problems, settings.notes})
    for (const std::string& line : lines) fail(line);
  const std::vector<Row> rows = rows_of(site, loaded);
  const int status = problems.empty() ? ok : found_problems;
  return options.json ? print(document_of(rows, site, site_file, problems), status)
                      : print(text_of(rows, site, site_file, options.verbose), status);
}

}  // namespace

table::Settings current_settings(const table::SiteSettings& site) { return table::read_settings(environment, site); }

Action add_environment(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  add_word(verb, "--site", options->site, "The site's settings, instead of <sysconfdir>/mpigraft/mpigraft.json");
  verb.add_flag("--verbose", options->verbose, "Show the variables' values and meanings, too");
  verb.add_flag("--json", options->json, "Print JSON");
  end_help(verb, R"(
  mpigraft env
  MPIGRAFT_FORCE=scan=none mpigraft env)");
  return [options] { return show_environment(*options); };
}

}  // namespace mpigraft::command
