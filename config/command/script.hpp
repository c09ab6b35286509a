// SPDX-License-Identifier: MIT
// Subcommands that are programs in Python, in config/tune/.
#pragma once

#include <string>
#include <vector>

namespace mpigraft::command {

/// Becomes the script of that name, with these arguments. Returns cannot_run, after telling why, if that fails.
int run_script(const std::string& name, const std::vector<std::string>& arguments, const std::string& subcommand);

/// The path of this command.
std::string own_path();

}  // namespace mpigraft::command
