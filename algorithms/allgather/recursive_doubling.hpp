// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allgather {

/// Invariant: before round d a virtual rank has the parts of the aligned 2^d virtual ranks around it, which are
/// consecutive. Folded ranks give their part first and get all parts last.
struct recursive_doubling {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block W = operands.result;
    const Parts& parts = operands.parts;
    const folded_butterfly::Fold fold(net.size(), 0);
    const int rank = net.rank(), v = fold.to_virtual(rank);
    if (!fold.takes_part(rank)) {
      net.send(operands.input, rank - 1);
      return net.recv(W, rank - 1);
    }
    const auto of = [&](int first, int end) {
      return W.part(parts.first(first), parts.first(end) - parts.first(first));
    };
    net.copy(operands.input, of(rank, rank + 1));
    if (fold.paired(rank)) net.recv(of(rank + 1, rank + 2), rank + 1);
    for (int d = 0; d < fold.rounds; ++d) {
      const auto around = [&](int u) { return of(fold.to_rank(u >> d << d), fold.to_rank(((u >> d) + 1) << d)); };
      const int w = v ^ 1 << d;
      net.sendrecv(around(v), fold.to_rank(w), around(w), fold.to_rank(w));
    }
    if (fold.paired(rank)) net.send(W, rank + 1);
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Parts parts = parts_of(p, m, params);
    const folded_butterfly::Fold fold(p, 0);
    const bool folds = fold.pairs > 0;
    Theorem most{.rounds = fold.rounds + 2 * folds, .received = folds ? m : m - parts.shortest(p)};
    for (int v = 0; v < 1 << fold.rounds; ++v) {
      std::int64_t passed = v < fold.pairs ? m : 0;
      for (int d = 0; d < fold.rounds; ++d)
        passed += parts.first(fold.to_rank(((v >> d) + 1) << d)) - parts.first(fold.to_rank(v >> d << d));
      most.sent = std::max(most.sent, passed);
    }
    for (int v = 0; v < fold.pairs; ++v) most.sent = std::max(most.sent, parts.count(2 * v + 1));
    return most;
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Thakur, Rabenseifner, Gropp 2005; fold of neighbours: own",
      .summary = "partners exchange all they have, for p other than 2^k two messages more",
      .rounds = "floor(log2 p), 2 more unless p = 2^k",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allgather
