// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allgather/bruck.hpp"
#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allgather {

/// Every rank talks to its neighbours only, and passes on what came last. With fewer elements than ranks, bruck runs,
/// in fewer rounds.
struct ring {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    const int p = net.size();
    if (W.count < p) return bruck::run(net, operands, params);
    const RootedPieces pieces(operands.parts, p);
    net.copy(operands.input, pieces.of(W, net.rank()));
    piecewise::allgather(net, W, pieces, [](int) { return 1; });
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (m < p) return bruck::theorem(p, m, params);
    const std::int64_t passed = m - parts_of(p, m, params).shortest(p);
    return {.rounds = p - 1, .sent = passed, .received = passed};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return m < p ? bruck::scratch(p, m, params) : 0;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Thakur, Rabenseifner, Gropp 2005",
      .summary = "parts go round the ring, each rank with its neighbours only, any p",
      .rounds = "p-1, q for m < p",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allgather
