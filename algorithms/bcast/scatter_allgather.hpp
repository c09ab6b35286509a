// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/phases/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// The butterfly reduction walked backwards: a binomial scatter that halves the message, recursive doubling, and the
/// folded ranks last. The scatter reaches virtual rank v in round `leaves(v)`. The allgather does not bring v again
/// what v then passed on, so every rank but the root receives every element once.
struct scatter_allgather {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    using namespace folded_butterfly;
    const Fold fold(net.size(), params.root);
    const int rank = net.rank();
    if (!fold.takes_part(rank)) return net.recv(message, fold.partner(rank));
    const int v = fold.to_virtual(rank), reached = leaves(v, fold.to_virtual(params.root));
    const auto part = [&](int u, int d) { return share(u, d + 1, message.count).of(message); };
    if (reached >= 0) net.recv(part(v, reached), fold.to_rank(v ^ 1 << reached));
    for (int d = reached + 1; d < fold.rounds; ++d) net.send(part(v ^ 1 << d, d), fold.to_rank(v ^ 1 << d));
    folded_butterfly::allgather(net, message, fold, fold.rounds, reached);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace folded_butterfly;
    if (p == 1) return {};
    const Fold fold(p, params.root);
    Theorem most{.rounds = 2 * fold.rounds + (fold.pairs > 0), .received = m};
    for (int v = 0; v < 1 << fold.rounds; ++v) {
      const int reached = leaves(v, fold.to_virtual(params.root));
      std::int64_t sent = share(v, reached + 1, m).count - share(v, fold.rounds, m).count + (v < fold.pairs ? m : 0);
      for (int d = 0; d < fold.rounds; ++d) sent += d == reached ? 0 : share(v, d + 1, m).count;
      most.sent = std::max(most.sent, sent);
    }
    return most;
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Barnett et al. 1994; fold of neighbours: own",
      .summary = "binomial scatter and recursive doubling, for p other than 2^k one message more",
      .rounds = "2 floor(log2 p), 1 more unless p = 2^k",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::bcast
