// SPDX-License-Identifier: MIT
// The grammar of the command, in parts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mpigraft::command {

/// Adds check, fmt, merge, diff and explain. A subcommand leaves its exit code in `status`.
void add_table_verbs(CLI::App& app, int& status);

/// Adds compare.
void add_compare(CLI::App& app, int& status);

/// Adds --launcher.
void add_launcher(CLI::App& verb, std::string& launcher);

/// Adds --html.
CLI::Option* add_page(CLI::App& verb, std::string& file, const char* meaning);

}  // namespace mpigraft::command
