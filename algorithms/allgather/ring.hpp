// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allgather/bruck.hpp"
#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allgather {

/// Every rank talks to its neighbours only, and passes on what came last. With fewer elements than ranks, bruck runs,
/// in fewer rounds.
struct ring {
  static void text(Program& net) {
    const int p = net.size();
    if (net.length() < p) return bruck::text(net);
    piecewise::allgather(net, net, net.input_part(), {net.parts(), p}, [](int) { return 1; });
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (m < p) return bruck::theorem(p, m, params);
    const std::int64_t passed = m - parts_of(p, m, params).shortest(p);
    return {.rounds = p - 1, .sent = passed, .received = passed};
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Thakur, Rabenseifner, Gropp 2005",
      .summary = "parts go round the ring, each rank with its neighbours only, any p",
      .rounds = "p-1, q for m < p",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::allgather
