// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// Records the schedules of all ranks of an algorithm on p ranks with a vector of m elements. A caller that records
/// thousands of runs passes the last one as `reused`: fresh memory for its events would cost more than all the rest.
/// Throws std::length_error for more events, pages or elements than can be recorded.
Recording record(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params = {}, bool in_place = false,
                 Recording&& reused = {});

}  // namespace mpigraft::model
