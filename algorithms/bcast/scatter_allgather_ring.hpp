// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// One piece for every rank: a binomial scatter, then an allgather round the ring. Every rank but the root receives
/// every element once. With fewer elements than ranks, the whole message goes round the ring.
struct scatter_allgather_ring {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    const int p = net.size();
    if (message.count < p)
      return run_along_tree(net, message, {message.count, 1}, Chain::node(net.rank(), p, params.root));
    const RootedPieces pieces(message.count, p, params.root);
    piecewise::scatter(net, message, pieces);
    piecewise::allgather(net, message, pieces, [&](int r) { return pieces.held(r); });
  }

  static Theorem theorem(int p, std::int64_t m, const Params&) {
    if (p == 1) return {};
    if (m < p) return {.rounds = p - 1, .sent = m, .received = m};
    const RootedPieces pieces(m, p, 0);
    std::int64_t most = 0;
    for (int r = 0; r < p; ++r) {
      const std::int64_t round_the_ring = r + 1 < p ? m - pieces.elements_held(r + 1) : 0;
      most = std::max(most, pieces.elements_held(r) - pieces.count(r) + round_the_ring);
    }
    return {.rounds = ceil_log2(p) + p - 1, .sent = most, .received = m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005",
      .summary = "binomial scatter and ring allgather without the pieces that a rank has, any p, any root",
      .rounds = "q+p-1",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::bcast
