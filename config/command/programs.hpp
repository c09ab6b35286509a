// SPDX-License-Identifier: MIT
// Other programs: where they are, and what they say.
#pragma once

#include <string>
#include <vector>

namespace mpigraft::command {

/// A command's output, stdout and stderr, without the library in it and with nothing to read.
std::string output_of(const std::string& command);

/// MPI_Get_library_version of an MPI library; empty where it cannot be asked. A process of its own asks, as a library
/// may do anything while it is loaded.
std::string library_version_of(const std::string& file);

/// Whether `word` occurs anywhere in the text.
bool contains(const std::string& text, const char* word);

/// The first word behind `word` in its line.
std::string behind(const std::string& text, const char* word);

/// Those of PATH.
std::vector<std::string> path_folders();

/// As a shell finds a program; empty where there is none.
std::string which(const std::string& name);

}  // namespace mpigraft::command
