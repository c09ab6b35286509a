// SPDX-License-Identifier: MIT
// mpigraft tune: a program in Python, config/tune/, that drives mpigraft-bench.
#include <filesystem>

#include "config/command/command.hpp"
#include "config/command/output.hpp"

namespace mpigraft::command {

int tune(const std::vector<std::string>& arguments) {
  const std::string program = find_beside({"tune", MPIGRAFT_DATA "/tune"}, "main.py");
  if (program.empty())
    return fail("tune/main.py is neither beside this command nor in " MPIGRAFT_DATA "; build or install it");
  // no bytecode, which root would leave in the installation
  std::vector<std::string> command{"python3", "-B", program, "--mpigraft",
                                   std::filesystem::read_symlink("/proc/self/exe")};
  if (const std::string bench = find_beside({"../shim/bench", "."}, "mpigraft-bench"); !bench.empty())
    command.insert(command.end(), {"--bench", bench});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command, "; mpigraft tune needs it");
}

}  // namespace mpigraft::command
