// SPDX-License-Identifier: MIT
// The command line of mpigraft-bench.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shim/bench/cell.hpp"

namespace mpigraft::bench {

inline constexpr int exit_ok = 0, exit_wrong_results = 1, exit_usage = 2;

struct Options {
  std::vector<Problem> problems;
  bool mixed = false;     // the problems are calls of a job, no cells
  std::vector<Arm> arms;  // native, null, and the others
  Limits limits{};
  std::string json;  // "": none, "-": standard output
};

/// Reads the command line. Returns the exit code if it is wrong or only asks for help. Only rank 0 prints.
std::optional<int> parse(int argc, char** argv, int rank, Options& options);

}  // namespace mpigraft::bench
