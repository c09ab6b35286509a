// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/phases/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// Ordered reduce-scatter, neighbours first, then an allgather that goes the same way back. Every element is combined
/// at one rank alone, apart from the fold.
struct reduce_scatter_allgather {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    using namespace folded_butterfly;
    const Fold fold(net.size(), 0);
    const int rank = net.rank();
    if (!fold.takes_part(rank)) {
      net.send(V, fold.partner(rank));
      return net.recv(W, fold.partner(rank));
    }
    OrderedSum<T> sum{net, V, V, net.scratch(V.count), W};
    reduce_scatter(net, sum, fold);
    const Share own = share(fold.to_virtual(rank), fold.rounds, V.count);
    if (sum.value != W) net.copy(own.of(sum.value), own.of(W));
    allgather(net, W, fold, fold.rounds);
  }

  static Theorem theorem(int p, std::int64_t m, const Params&) {
    using namespace folded_butterfly;
    const Fold fold(p, 0);
    const int folded = fold.pairs > 0;
    Theorem most{.rounds = 2 * (folded + fold.rounds)};
    for (int v = 0; v < 1 << fold.rounds; ++v) {
      most.applications_last = combined(fold, v, m);
      most.applications = std::max(most.applications, most.applications_last);
      // back it sends all that it received, and receives the others' shares
      most.sent = std::max(most.sent, most.applications_last + m - share(v, fold.rounds, m).count);
    }
    most.received = most.sent;
    return most;
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997, (28) and (29); any p: own",
      .summary = "reduce-scatter by halving and allgather by doubling, rank order kept",
      .rounds = "2 floor(log2 p), 2 more unless p = 2^k",
      .cuts = Cuts::always,
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
