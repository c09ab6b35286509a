// SPDX-License-Identifier: MIT
// The subcommands of the `mpigraft` command. Each is a file of its own: what it does, and its grammar. This is what
// they share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/analysis/comparison.hpp"
#include "config/table/settings.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::command {

/// A subcommand's work, once its arguments are parsed. It prints to standard output and returns the exit code: 0, 1 for
/// findings or differences, 2 if it cannot run. An error goes to stderr, as "mpigraft: MESSAGE".
using Action = std::function<int()>;

// Each adds the options of the subcommand to it.
Action add_list(CLI::App& verb);
Action add_check(CLI::App& verb);
Action add_fmt(CLI::App& verb);
Action add_merge(CLI::App& verb);
Action add_diff(CLI::App& verb);
Action add_explain(CLI::App& verb);
Action add_model(CLI::App& verb);
Action add_tune(CLI::App& verb);
Action add_run(CLI::App& verb);
Action add_compare(CLI::App& verb);
Action add_report(CLI::App& verb);
Action add_doctor(CLI::App& verb);
Action add_environment(CLI::App& verb);

/// Ends the help of a subcommand with a text, its exit codes, and examples, which begin with a line break.
void end_help(CLI::App& verb, const char* examples, const std::string& text = "",
              const std::string& exit_codes = "Exit codes: 0 success, 1 findings or differences, 2 cannot run.");

/// What is wrong with the name of a collective, which may be MPI's, or of something else that is known.
std::string unknown_name(std::string_view name, std::span<const std::string_view> known = collective_names);
CLI::Validator is_name(std::span<const std::string_view> known = collective_names);  // the help shows those known

// Options of several subcommands.
CLI::Option* add_collective(CLI::App& verb, std::optional<Collective>& collective, const char* meaning);
CLI::Option* add_force(CLI::App& verb, std::string& force, const char* meaning);
/// An option whose value, a FILE or the like, must not be empty.
CLI::Option* add_word(CLI::App& verb, const char* name, std::string& word, const char* meaning,
                      const char* value = "FILE");
void add_launcher(CLI::App& verb, std::string& launcher);
void add_ranks(CLI::App& verb, int& ranks);  // -n

/// Adds the program to start, with all words after it.
void add_program(CLI::App& verb, std::vector<std::string>& words);

/// Adds options for the facts that calls have in common while their ranks and bytes vary.
void add_placing(CLI::App& verb, analysis::Placing& placing);

/// Adds an option for a value that `parse` makes of its text. Another text is refused: it, in quotes, and `otherwise`.
template <class Into, class Parse>
CLI::Option* add_parsed(CLI::App& verb, const char* name, Into& into, const Parse& parse, const char* value,
                        const char* meaning, const std::string& otherwise) {
  return verb
      .add_option_function<std::string>(
          name, [&into, parse](const std::string& text) { into = *parse(text); }, meaning)
      ->type_name(value)
      ->check([=](const std::string& text) { return parse(text) ? "" : table::in_quotes(text) + ' ' + otherwise; });
}

/// Adds an option that takes several sizes: "8,64K", "1K..64M".
CLI::Option* add_sizes(CLI::App& verb, const char* name, std::vector<std::int64_t>& into, const char* value,
                       const char* meaning);

/// A number from 1 to 9999999.
std::optional<int> count_in(const std::string& text);

/// The settings in the environment of this process.
table::Settings current_settings(const table::SiteSettings& site = table::read_site_settings());

}  // namespace mpigraft::command
