// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// On this machine a run takes as many seconds as it has rounds.
inline constexpr Machine count_rounds{.latency = 1, .per_byte = 0, .combine_per_byte = 0};

/// Seconds until the last rank is done, all ranks starting at once, in the linear cost model as replay.hpp states it: a
/// rank does not combine while it communicates. Throws a Violation if the recorded run is not one-ported or cannot end.
double price(const Recording& recording, const Machine& machine);

}  // namespace mpigraft::model
