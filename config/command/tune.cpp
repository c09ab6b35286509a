// SPDX-License-Identifier: MIT
// mpigraft tune: a program in Python, config/tune/main.py, that drives mpigraft-bench.
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/command/script.hpp"

namespace mpigraft::command {

int tune(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"--mpigraft", own_path()};
  if (const std::string bench = find_beside({"../shim/bench", "."}, "mpigraft-bench"); !bench.empty())
    words.insert(words.end(), {"--bench", bench});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_script("main.py", words, "tune");
}

}  // namespace mpigraft::command
