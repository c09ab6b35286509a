// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// On this machine a run takes as many seconds as it has rounds.
inline constexpr Machine count_rounds{.latency = 1, .per_byte = 0, .combine_per_byte = 0};

/// Seconds until the last rank is done, all ranks starting at once, in the linear cost model as replay.hpp states it: a
/// rank does not combine while it communicates. Throws a Violation if the recorded run is not one-ported or cannot end.
double price(const Recording& recording, const Machine& machine);

/// What a run costs. All but `rounds` are in elements, so that for a vector of m elements m stands for one message or
/// one operator application to the whole vector.
struct Cost {
  int rounds = 0;                      // longest chain of one-ported exchanges, or of pages
  std::int64_t applications = 0;       // operator applications, maximum over ranks
  std::int64_t applications_last = 0;  // the same at rank p-1
  std::int64_t sent = 0;               // or published, maximum over ranks
  std::int64_t received = 0;           // or read, maximum over ranks

  friend constexpr bool operator==(const Cost&, const Cost&) = default;
};

/// The cost of the recorded run, counted. Throws a Violation if the run cannot end.
Cost cost_of(const Recording& recording);
/// The same, if the rounds are known.
Cost cost_of(const Recording& recording, std::int64_t rounds);

}  // namespace mpigraft::model
