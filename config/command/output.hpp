// SPDX-License-Identifier: MIT
// How the command speaks: results to stdout, problems to stderr, and its exit codes.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mpigraft::command {

inline constexpr int ok = 0, found_problems = 1, cannot_run = 2;

/// Writes to stdout and returns `status`, or cannot_run where it cannot be written. A reader that has gone away (a
/// closed pipe) has seen enough: no problem.
int print(const std::string& text, int status);
int print(const nlohmann::ordered_json& document, int status);

/// "mpigraft: MESSAGE" on stderr; returns cannot_run.
int fail(const std::string& message);

/// `name` in the first of `folders`, relative to this program's own, that has it; empty if none. The first is where the
/// build puts it, the second where an installation does.
std::string find_beside(std::initializer_list<const char*> folders, const char* name);

/// Runs a Python script from beside this command, which makes `file` of `input`, its standard input; returns ok, or
/// cannot_run and says why.
int make_with_script(const char* script, const std::string& input, const std::string& file);

/// A word that a shell reads back unchanged.
std::string shell_word(const std::string& word);

/// Becomes the program that the first word names; returns only where it cannot be run, which it tells with `hint`.
int execute(std::vector<std::string> command, const std::string& hint);

/// Rows of cells as aligned columns.
std::string columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace mpigraft::command
