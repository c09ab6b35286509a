// SPDX-License-Identifier: MIT
// One cell: every arm on one problem, interleaved in random order.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "shim/bench/arms.hpp"
#include "shim/bench/ranks.hpp"
#include "shim/bench/statistics.hpp"

namespace mpigraft::bench {

/// Limits for the repetitions of a cell: until its time is up or `most` is reached, but at least `least` times.
struct Limits {
  std::size_t least, most;
  double seconds;
  bool back_to_back;  // many calls a repetition, so that a rank can run ahead of the others
};

struct Measured {
  std::string arm;
  Ran ran;
  int differing_rank = -1;  // the highest rank whose result is not native's
  // at rank 0 only
  Summary us{};    // a call's time at its slowest rank
  double ratio{};  // of the medians, native / arm
  Verdict verdict{};

  bool agrees() const { return differing_rank < 0; }
};

struct Cell {
  Problem problem;
  int calls = 1;  // timed together, back to back
  std::size_t repetitions = 0;
  std::vector<Measured> arms;  // native, null, the others

  const Measured& null() const { return arms[1]; }
  bool agrees() const;
};

/// Measures a cell. Collective; `shuffler` is in the same state on all ranks.
Cell measure(const Problem& problem, const std::vector<Arm>& arms, const Limits& limits, Ranks& ranks,
             std::mt19937_64& shuffler);

}  // namespace mpigraft::bench
