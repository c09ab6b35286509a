// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/schedule/compile.hpp"
#include "algorithms/schedule/replay.hpp"

namespace mpigraft::schedule {

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
