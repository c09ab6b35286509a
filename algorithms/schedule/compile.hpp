// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"
#include "algorithms/schedule/draft.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::schedule {

/// Makes schedules of texts. Keeps its memory, so that later schedules take none.
class Compiler {
 public:
  /// The schedule of rank `rank` of p with a vector of `length` elements. `aliased`: the input lies in the memory of
  /// the result, as with MPI_IN_PLACE.
  void compile(const AlgorithmInfo& info, int p, int rank, std::int64_t length, bool aliased, const Params& params,
               Schedule& schedule);

 private:
  Record record_;
  Draft draft_;
};

}  // namespace mpigraft::schedule
