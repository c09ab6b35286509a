// SPDX-License-Identifier: MIT
// The grammar of the command, in parts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collective.hpp"

namespace mpigraft::command {

/// Adds check, fmt, merge, diff and explain. A subcommand leaves its exit code in `status`.
void add_table_verbs(CLI::App& app, int& status);

/// Adds model.
void add_model(CLI::App& app, int& status);

/// Adds compare.
void add_compare(CLI::App& app, int& status);

/// Adds tune.
void add_tune(CLI::App& app, int& status);

/// Ends the help of a subcommand with its exit codes and examples, which begin with a line break.
void end_help(CLI::App& verb, const char* examples,
              const char* exit_codes = "Exit codes: 0 success, 1 findings or differences, 2 cannot run.");

/// What a collective's name has to be.
CLI::Validator is_collective();

/// Adds --collective.
CLI::Option* add_collective(CLI::App& verb, std::optional<Collective>& collective, const char* meaning);

/// Adds an option that takes several sizes: "8,64K", "1K..64M".
CLI::Option* add_sizes(CLI::App& verb, const char* name, std::vector<std::int64_t>& into, const char* value,
                       const char* meaning);

/// Adds -n.
void add_ranks(CLI::App& verb, int& ranks);
/// The arguments of a subcommand, with -n for -np and --np before the program that it starts.
std::vector<std::string> with_plain_names(const CLI::App& verb, std::vector<std::string> arguments);

/// Adds --launcher.
void add_launcher(CLI::App& verb, std::string& launcher);

/// Adds --html.
CLI::Option* add_page(CLI::App& verb, std::string& file, const char* meaning);

}  // namespace mpigraft::command
