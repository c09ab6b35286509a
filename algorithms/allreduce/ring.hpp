// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/allreduce/recursive_doubling.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// Every rank talks to its neighbours only. Piece r begins at rank r+1, grows on its way round to rank r, and then goes
/// round once more. Its order of combination begins at r+1, so the operator has to be commutative. With fewer elements
/// than ranks, recursive_doubling runs.
struct ring {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (V.count < p) return recursive_doubling::run(net, operands, params);
    const RootedPieces pieces(V.count, p, 0);
    const Block in = net.scratch(pieces.count(0));
    const int to = (r + 1) % p, from = (r + p - 1) % p;
    for (int j = 1; j < p; ++j) {
      const int out = (r + p - j) % p, comes = (r + 2 * p - j - 1) % p;
      const Block arrived = in.part(0, pieces.count(comes));
      net.sendrecv(pieces.of(j == 1 ? V : W, out), to, arrived, from);
      net.combine(arrived, pieces.of(V, comes), pieces.of(W, comes));
    }
    if (p == 1) return net.copy(V, W);
    piecewise::allgather(net, W, pieces, [](int) { return 1; });
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (m < p || p == 1) return recursive_doubling::theorem(p, m, params);
    const RootedPieces pieces(m, p, 0);
    const auto without = [&](int r) { return m - pieces.count(r % p); };
    Theorem most{.rounds = 2 * (p - 1), .applications_last = without(p - 2)};
    for (int r = 0; r < p; ++r) {
      // a piece stays behind first at the rank after its own, then at its own
      most.applications = std::max(most.applications, without(r + p - 1));
      most.sent = std::max(most.sent, without(r) + without(r + 1));
      most.received = std::max(most.received, without(r + p - 1) + without(r));
    }
    return most;
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return m < p ? recursive_doubling::scratch(p, m, params) : Blocks{m, p}.count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Thakur, Rabenseifner, Gropp 2005; Patarasuk, Yuan 2009",
      .summary = "reduce-scatter and allgather round the ring, each rank with its neighbours only, any p",
      .rounds = "2(p-1), about q for m < p",
      .commutative = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
