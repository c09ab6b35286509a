// SPDX-License-Identifier: MIT
// Other programs: where they are, and the answers that they give.
#pragma once

#include <string>
#include <vector>

namespace mpigraft::command {

/// The output of a shell command, stdout and stderr. It runs for up to 10 seconds, without LD_PRELOAD and with empty
/// input.
std::string output_of(const std::string& command);

/// True if the loader finds the library and can load it, which a child process tries.
bool loader_finds(const std::string& file);

/// The text of MPI_Get_library_version of an MPI library; empty if that fails. A child process asks for it, because a
/// library may do anything while it is loaded.
std::string library_version_of(const std::string& file);

/// True if `word` occurs anywhere in the text.
bool contains(const std::string& text, const char* word);

/// The first word behind `word` in its line.
std::string behind(const std::string& text, const char* word);

/// The folders of PATH.
std::vector<std::string> path_folders();

/// The path of a program, as a shell finds it; empty if there is none.
std::string which(const std::string& name);

}  // namespace mpigraft::command
