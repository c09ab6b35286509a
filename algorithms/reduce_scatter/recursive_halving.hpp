// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/reversed_pieces.hpp"
#include "algorithms/phases/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce_scatter {

/// Neighbours halve first, which keeps rank order. Parts are first put into an order in which each half is one message.
/// With fewer elements than ranks, whole vectors are exchanged.
struct recursive_halving {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    using namespace folded_butterfly;
    const Block V = operands.input, W = operands.result;
    const Parts& parts = operands.parts;
    const Fold fold(net.size(), 0);
    const int rank = net.rank(), v = fold.to_virtual(rank);
    if (!fold.takes_part(rank)) {
      net.send(V, fold.partner(rank));
      return net.recv(W, fold.partner(rank));
    }
    const Block in = net.scratch(V.count), other = net.scratch(V.count);
    OrderedSum<T> sum{net, V, V, in, other};
    fold_in(net, sum, fold);
    std::int64_t own = parts.first(rank);
    if (V.count < net.size()) {
      halve(net, sum, fold, fold.rounds, [m = V.count](int, int) { return Share{0, m}; });
    } else {
      const ReversedPieces pieces(fold, parts);
      for (int i = 0; i < pieces.size(); ++i) net.copy(pieces.in_order(i).of(sum.value), pieces.here(i).of(other));
      sum.value = other, sum.in = in;
      halve(net, sum, fold, fold.rounds, [&](int u, int d) { return pieces.agreeing(u, d); });
      own = pieces.agreeing(v, fold.rounds).first;
    }
    net.copy(sum.value.part(own, W.count), W);
    if (fold.paired(rank)) net.send(sum.value.part(own + W.count, parts.count(rank + 1)), rank + 1);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace folded_butterfly;
    const Parts parts = parts_of(p, m, params);
    const Fold fold(p, 0);
    const bool folds = fold.pairs > 0;
    Theorem most{.rounds = 2 * folds + fold.rounds, .sent = folds ? m : 0};
    if (m < p) {
      std::int64_t given = 0;
      for (int v = 0; v < fold.pairs; ++v) given = std::max(given, parts.count(2 * v + 1));
      most.applications_last = fold.rounds * m;
      most.applications = most.received = most.applications_last + (folds ? m : 0);
      most.sent = std::max(most.sent, most.applications_last + given);
      return most;
    }
    const ReversedPieces pieces(fold, parts);
    for (int v = 0; v < pieces.size(); ++v) {
      const bool paired = v < fold.pairs;
      std::int64_t joined = paired ? m : 0;
      for (int d = 1; d <= fold.rounds; ++d) joined += pieces.agreeing(v, d).count;
      const std::int64_t given = m - pieces.agreeing(v, fold.rounds).count + (paired ? parts.count(2 * v + 1) : 0);
      most.applications_last = joined;
      most.applications = std::max(most.applications, joined);
      most.sent = std::max(most.sent, given);
    }
    most.received = most.applications;
    return most;
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997, (28) and (29); any p: own",
      .summary = "halving between neighbours first, rank order kept, whole vectors for m < p",
      .rounds = "floor(log2 p), 2 more unless p = 2^k",
      .cuts = Cuts::always,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce_scatter
