// SPDX-License-Identifier: MIT
// Estimates of how long a candidate's calls take, from the times that one rank measured.
#pragma once

#include <cstdint>
#include <span>

namespace mpigraft::learning {

/// An estimate of a call's time and the 84 % interval around it, in ns. Two such intervals that do not overlap belong
/// to values that differ, except in one case of twenty.
struct Figures {
  std::int64_t time = 0, low = 0, high = 0;
};

/// The lowest eighth of the times: for ranks with cores of their own. A call's time includes the wait for ranks that
/// come late, in more than half of the calls perhaps; the quick calls show what the candidate takes. `times`, in ns,
/// are sorted. Zeros where there are none.
Figures quick_eighth(std::span<std::int64_t> times);

/// The mean without the slowest eighth: for ranks that share cores. There the quick calls are those that found all
/// other ranks waiting; what the candidate costs the program is the usual time. `times`, in ns, are sorted. Zeros where
/// there are none.
Figures trimmed_mean(std::span<std::int64_t> times);

}  // namespace mpigraft::learning
