// SPDX-License-Identifier: MIT
// Makes an algorithm of a text: its schedule is carried out over the transport.
#pragma once

#include "algorithms/program.hpp"
#include "algorithms/schedule/replay.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft {

/// The schedule of rank `rank` of p. It is valid until this thread asks for the next one.
const schedule::Schedule& schedule_of(const AlgorithmInfo& info, int p, int rank, const Operands& operands,
                                      const Params& params);

/// An algorithm A whose `info` has a text.
template <class A>
struct Equations {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    schedule::Replay<T>(net, operands, schedule_of(A::info, net.size(), net.rank(), operands, params)).run();
  }
};

}  // namespace mpigraft
