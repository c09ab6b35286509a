// SPDX-License-Identifier: MIT
// Other programs: where they are, what they define, and the answers that they give.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/table/settings.hpp"

namespace mpigraft::command {

/// The output of a shell command, stdout and stderr. It runs for up to 10 seconds, without LD_PRELOAD and with empty
/// input.
std::string output_of(const std::string& command);

/// What `tell` returns in a child process; empty if that fails, or takes 10 seconds. A library, for one, may do
/// anything while it is loaded.
std::string told_by_child(const std::function<std::string()>& tell);

/// The text of MPI_Get_library_version of an MPI library, of which a child process asks it; empty if that fails.
std::string library_version_of(const std::string& file);

/// Adds why files that a job under these settings writes could not be written.
void add_unwritable(std::vector<std::string>& problems, const table::Settings& settings);

/// True if `word` occurs anywhere in the text.
bool contains(const std::string& text, const char* word);

/// The first word behind `word` in its line.
std::string behind(const std::string& text, const char* word);

std::vector<std::string> path_folders();

/// The path of a program, as a shell finds it; empty if there is none.
std::string which(const std::string& name);

/// gcc's runtime of the address sanitizer among these libraries, which ends a program unless it is loaded before all
/// others; empty if there is none.
std::string address_sanitizer_of(const std::string& libraries);

}  // namespace mpigraft::command
