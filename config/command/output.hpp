// SPDX-License-Identifier: MIT
// Output of the command: results to stdout, problems to stderr, and its exit codes.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace mpigraft::command {

inline constexpr int ok = 0, found_problems = 1, cannot_run = 2;
inline constexpr int not_compared = 3;  // `compare` cannot run: its code 2 says that output differs

/// Writes to stdout. Returns `status`, or cannot_run if that fails. A reader that has gone away (a closed pipe) has
/// seen enough, and is no failure.
int print(const std::string& text, int status);
int print(const nlohmann::ordered_json& document, int status);

/// "mpigraft: MESSAGE" on stderr; returns cannot_run.
int fail(const std::string& message);

/// The path of `name` in the first of `folders`, relative to this program's own, that has it; empty if none has. The
/// build puts it into the first one, an installation into the second.
std::string find_beside(std::initializer_list<const char*> folders, const char* name);

/// The version that --version prints, with its commit. A new commit compiles one small file.
extern const char* const version;

/// The path of this command.
std::string own_path();

/// A library of ours to preload, and why it cannot be; the problem is empty if it can.
struct Preload {
  std::string file, problem;
};
Preload find_preload(const std::string& name);

/// The path from the root; as it is if it is empty, or if the current folder is gone.
std::string absolute(const std::string& path);

/// Why a file that `what` names could not be written; empty if it can, and for "" and "stderr". `replaces`: a new file
/// takes its place.
std::string unwritable(const std::string& what, const std::string& file, bool replaces = false);

/// Makes a page of this kind in `file`, by page.py from beside this command. Returns ok, or cannot_run after telling
/// why.
int make_page(const char* kind, const std::string& input, const std::string& file);

/// A word that a shell reads back unchanged.
std::string shell_word(const std::string& word);

/// Becomes the program that the first word names. Returns only if it cannot be run, after telling that with `hint`.
int execute(std::vector<std::string> command, const std::string& hint);

/// Becomes such a script, the rest of a subcommand. Its arguments are what is asked for, in a line of JSON, and more.
/// Returns cannot_run, after telling why, if that fails.
int run_script(const char* script, const nlohmann::ordered_json& asked, const std::vector<std::string>& more,
               const std::string& subcommand);

/// Rows of cells as aligned columns.
std::string columns(const std::vector<std::vector<std::string>>& rows);

inline constexpr std::size_t line_width = 100;

/// The words behind `start`, in lines that begin below the first word.
std::string wrapped(const std::string& start, std::string_view words);

}  // namespace mpigraft::command
