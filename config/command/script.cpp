// SPDX-License-Identifier: MIT
#include "config/command/script.hpp"

#include <filesystem>

#include "config/command/output.hpp"

namespace mpigraft::command {

std::string own_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

int run_script(const std::string& name, const std::vector<std::string>& arguments, const std::string& subcommand) {
  const std::string script = find_beside({"tune", MPIGRAFT_DATA "/tune"}, name.c_str());
  if (script.empty())
    return fail("tune/" + name + " is neither beside this command nor in " MPIGRAFT_DATA "; build or install it");
  // no bytecode, which root would leave in the installation
  std::vector<std::string> command{"python3", "-B", script};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command, "; mpigraft " + subcommand + " needs it");
}

}  // namespace mpigraft::command
