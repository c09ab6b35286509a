// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace mpigraft::fuzz {

struct Options {
  std::uint64_t seed = 1;
  std::int64_t first = 0;  // number of the first case
  std::int64_t cases = std::numeric_limits<std::int64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  bool explain = false;  // describe every case before it runs
};

/// Fills the options. An exit code if the program is to end.
std::optional<int> parse(int argc, char** argv, int rank, Options& options);

}  // namespace mpigraft::fuzz
