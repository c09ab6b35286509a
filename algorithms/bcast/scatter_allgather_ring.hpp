// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/info.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// One piece for every rank: a binomial scatter, then an allgather round the ring. Every rank but the root receives
/// every element once. With fewer elements than ranks, the whole message goes round the ring.
///
/// Example: p = 8, m = 1, root 0. 0>1 is x_0, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1
///       2          0>2
///       3                  0>3
///       4                          0>4
///       5                                  0>5
///       6                                          0>6
///       7                                                  0>7
struct scatter_allgather_ring {
  static void text(Program& net) {
    const int p = net.size(), root = net.params().root;
    if (net.length() < p) {
      const Blocks whole{net.length(), 1};
      return give(net, whole, along_tree(net, whole, Chain::node(net.rank(), p, root), input_of(net)));
    }
    const RootedPieces pieces(net.length(), p, root);
    const Value held = piecewise::scatter(net, net.rank() == root ? net.input() : nothing, pieces);
    piecewise::allgather(net, net, held, pieces, [&](int r) { return pieces.held(r); });
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

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005",
      .summary = "binomial scatter and ring allgather without the pieces that a rank has, any p, any root",
      .rounds = "q+p-1",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::bcast
