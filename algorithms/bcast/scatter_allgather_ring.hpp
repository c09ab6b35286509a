// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// One piece for every rank r, relative to the root: a binomial scatter, then round the ring. The scatter leaves r with
/// the pieces [r, r + held(r)), which would come last on the ring and are not sent again, so every rank but the root
/// receives every element once. Fewer elements than ranks go round the ring in one piece.
struct scatter_allgather_ring {
  template <AsyncTransport T>
  static void run(T& net, Block message, const Params& params) {
    const int p = net.size(), r = (net.rank() - params.root + p) % p;
    if (message.count < p)
      return run_along_tree(net, message, {message.count, 1}, Chain::node(net.rank(), p, params.root));
    const Blocks pieces{message.count, p};
    const auto rank = [&](int relative) { return static_cast<int>((std::int64_t{relative} + params.root) % p); };
    for (int k = ceil_log2(p) - 1; k >= 0; --k) {
      const int other = binomial_tree::sibling(r, k, p, 0), upper = std::max(r, other);
      if (binomial_tree::head(r, k, 0) != r || other == none) continue;
      const std::int64_t first = pieces.first(upper), end = pieces.first(std::min(p, upper + (1 << k)));
      const Block half = message.part(first, end - first);
      r == upper ? net.recv(half, rank(other)) : net.send(half, rank(other));
    }
    const int after = r + 1 < p ? r + 1 : 0;
    for (int j = 1; j < p; ++j) {
      const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
      net.sendrecv(pieces.of(message, out), j <= p - held(after, p) ? rank(after) : none, pieces.of(message, in),
                   j <= p - held(r, p) ? rank(r + p - 1) : none);
    }
  }

  static Theorem theorem(int p, std::int64_t m, const Params&) {
    if (p == 1) return {};
    if (m < p) return {.rounds = p - 1, .sent = m, .received = m};
    const Blocks pieces{m, p};
    std::int64_t most = 0;
    for (int r = 0; r < p; ++r) {
      const auto elements = [&](int relative) {
        return pieces.first(relative + held(relative, p)) - pieces.first(relative);
      };
      const std::int64_t round_the_ring = r + 1 < p ? m - elements(r + 1) : 0;
      most = std::max(most, elements(r) - pieces.count(r) + round_the_ring);
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

 private:
  /// Ranks below r in the binomial tree, and r.
  static constexpr int held(int r, int p) { return r == 0 ? p : std::min(r & -r, p - r); }
};

}  // namespace mpigraft::bcast
