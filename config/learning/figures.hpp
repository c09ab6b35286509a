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

/// The upper end of the quickest eighth of the times, for ranks with cores of their own. A call's time includes the
/// wait for ranks that come late, perhaps in more than half of the calls; the quick calls show what the candidate
/// takes. Sorts `times`, in ns. All zeros if there are none.
Figures quick_eighth(std::span<std::int64_t> times);

/// The mean without the slowest eighth, for ranks that share cores. There a call is quick if all other ranks were
/// already waiting, whichever candidate runs; the usual time is what the candidate costs the program. Sorts and changes
/// `times`, in ns. All zeros if there are none.
Figures trimmed_mean(std::span<std::int64_t> times);

}  // namespace mpigraft::learning
