// SPDX-License-Identifier: MIT
// The command line of fuzz.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

namespace mpigraft::fuzz {

inline constexpr const char* usage = R"(usage: mpiexec -n P fuzz [options]

Random calls of the grafted collectives, judged by results computed locally. Stops at the first wrong one.

  --seconds S   stop after about so long (default: 10, or no limit where --cases is given);
                with MPIGRAFT_FULL=1 in the environment 20 times as long
  --cases N     stop after so many cases
  --seed N      another sequence of cases (default: 1)
  --first K     begin with case K
  --case K      case K alone, described
)";

struct Options {
  std::uint64_t seed = 1;
  std::int64_t first = 0;  // number of the first case
  std::int64_t cases = std::numeric_limits<std::int64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  bool explain = false;  // describe every case before it runs

  /// False if the words are not understood.
  bool parse(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2)
      if (i + 1 == argc || !read(argv[i], argv[i + 1])) return false;
    if (std::isinf(seconds) && cases == Options().cases) seconds = 10;
    const char* const full = std::getenv("MPIGRAFT_FULL");
    if (full && std::strcmp(full, "1") == 0) seconds *= 20;
    return true;
  }

 private:
  bool read(std::string_view name, std::string_view value) {
    const auto number = [value](auto& to) {
      const char* const end = value.data() + value.size();
      const auto [stop, error] = std::from_chars(value.data(), end, to);
      return stop == end && error == std::errc() && to >= 0;
    };
    if (name == "--case") cases = 1, explain = true;
    if (name == "--case" || name == "--first") return number(first);
    if (name == "--seconds") return number(seconds);
    if (name == "--cases") return number(cases);
    return name == "--seed" && number(seed);
  }
};

}  // namespace mpigraft::fuzz
