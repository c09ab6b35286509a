// SPDX-License-Identifier: MIT
#include "algorithms/equations.hpp"

#include "algorithms/schedule/compile.hpp"

namespace mpigraft {

const schedule::Schedule& schedule_of(const AlgorithmInfo& info, int p, int rank, const Operands& operands,
                                      const Params& params) {
  static thread_local schedule::Compiler compiler;
  static thread_local schedule::Schedule schedule;
  compiler.compile(info, p, rank, operands.input.count, operands.aliased, params, schedule);
  return schedule;
}

}  // namespace mpigraft
