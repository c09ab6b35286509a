// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/program.hpp"
#include "algorithms/schedule/draft.hpp"
#include "algorithms/schedule/replay.hpp"
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

/// Runs an algorithm over a transport: makes this rank's schedule and carries it out.
template <Transport T>
void carry_out(const AlgorithmInfo& info, T& net, const Operands& operands, const Params& params) {
  static thread_local Compiler compiler;
  static thread_local Schedule schedule;
  Params own = params;
  own.parts = operands.parts;
  const std::int64_t length = std::max(operands.input.count, operands.result.count);  // either may be a part
  compiler.compile(info, net.size(), net.rank(), length, operands.aliased, own, schedule);
  Replay<T>(net, operands.input, operands.result, schedule).run();
}

}  // namespace mpigraft::schedule
