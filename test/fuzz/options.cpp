// SPDX-License-Identifier: MIT
#include "test/fuzz/options.hpp"

#include <getopt.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mpigraft::fuzz {
namespace {

constexpr double longer = 20;  // times, in the long tier

bool full() {
  const char* value = std::getenv("MPIGRAFT_FULL");
  return value && std::strcmp(value, "1") == 0;
}

constexpr const char* usage = R"(usage: mpiexec -n P fuzz [options]

Random calls of the grafted collectives, judged by results computed locally. Stops at the first wrong one.

  --seconds S   stop after about so long (default: 10, or no limit where --cases is given);
                with MPIGRAFT_FULL=1 in the environment 20 times as long
  --cases N     stop after so many cases
  --seed N      another sequence of cases (default: 1)
  --first K     begin with case K
  --case K      case K alone, described
)";

template <class T>
bool read(const char* text, T& to) {
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, to);
  return stop == end && error == std::errc() && to >= 0;
}

bool read_option(int letter, const char* value, Options& options) {
  switch (letter) {
    case 's':
      return read(value, options.seconds);
    case 'n':
      return read(value, options.cases);
    case 'r':
      return read(value, options.seed);
    case 'f':
      return read(value, options.first);
    case 'c':
      options.cases = 1;
      options.explain = true;
      return read(value, options.first);
    default:
      return false;
  }
}

}  // namespace

std::optional<int> parse(int argc, char** argv, int rank, Options& options) {
  const option known[] = {{"seconds", required_argument, nullptr, 's'},
                          {"cases", required_argument, nullptr, 'n'},
                          {"seed", required_argument, nullptr, 'r'},
                          {"first", required_argument, nullptr, 'f'},
                          {"case", required_argument, nullptr, 'c'},
                          {"help", no_argument, nullptr, 'h'},
                          {nullptr, 0, nullptr, 0}};
  opterr = rank == 0;
  bool right = true;
  for (int letter; right && (letter = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    if (letter == 'h') {
      if (rank == 0) std::fputs(usage, stdout);
      return 0;
    }
    right = read_option(letter, optarg, options);
  }
  if (right && optind == argc) {
    if (std::isinf(options.seconds) && options.cases == Options().cases) options.seconds = 10;
    if (full()) options.seconds *= longer;
    return {};
  }
  if (rank == 0) std::fputs(usage, stderr);
  return 2;
}

}  // namespace mpigraft::fuzz
