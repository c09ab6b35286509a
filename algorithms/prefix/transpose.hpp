// SPDX-License-Identifier: MIT
// Everybody scans a p-th of the vector for everybody.
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::prefix {

/// Rank r owns piece r of all vectors. All to all: it gets this piece of x_0, ..., x_(p-1), and turns it into the
/// inclusive scan S_0, ..., S_(p-1). Back: rank s gets S_s, in an exclusive scan S_(s-1). With fewer elements than
/// ranks, AlongChain runs with one block: that is no more work, and an owner's pieces would need more than twice the
/// vector.
template <bool exclusive>
class ByTranspose {
 public:
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (V.count < p) return AlongChain<exclusive>::run_in_blocks(net, V, W, {V.count, 1});
    const Blocks pieces{V.count, p};
    const std::int64_t mine = pieces.count(r);
    const Block all = net.scratch(mine, p);
    const auto S = [&](int s) { return all.part(s * mine, mine); };

    for (int k = 1; k < p; ++k) {
      const int owner = (r + k) % p, from = (r - k + p) % p;
      net.sendrecv(pieces.of(V, owner), gives(r, p) ? owner : none, S(from), gives(from, p) ? from : none);
    }
    net.copy(pieces.of(V, r), S(r));
    for (int s = 1; s < p - shift; ++s) net.combine(S(s - 1), S(s));
    for (int k = 1; k < p; ++k) {
      const int owner = (r + k) % p, to = (r - k + p) % p;
      net.sendrecv(S(takes(to) ? to - shift : 0), takes(to) ? to : none,  //
                   pieces.of(W, owner), takes(r) ? owner : none);
    }
    if (takes(r)) net.copy(S(r - shift), pieces.of(W, r));
  }

  /// Every owner receives from p-1 ranks, then sends to p-1; all give but the last rank of an exclusive scan, and all
  /// take but its first.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    if (m < p) return AlongChain<exclusive>::theorem_of_blocks(p, m, 1);
    if (p == 1) return {};
    const Blocks pieces{m, p};
    const int joins = p - 1 - shift;
    return {.rounds = 2 * (p - 1),
            .applications = joins * pieces.count(0),
            .applications_last = joins * pieces.count(p - 1),
            .sent = m + (p - 2) * pieces.count(0),
            .received = std::max({received(0, p, m), received(1, p, m), received(p - 1, p, m)})};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return m < p ? m : p * Blocks{m, p}.count(0);
  }

 private:
  static constexpr int shift = exclusive ? 1 : 0;
  /// `gives`: some rank needs x_s. `takes`: rank s has a result.
  static constexpr bool gives(int s, int p) { return s + shift < p; }
  static constexpr bool takes(int s) { return s >= shift; }

  static constexpr std::int64_t received(int r, int p, std::int64_t m) {
    const std::int64_t mine = Blocks{m, p}.count(r);
    const int givers = p - shift - gives(r, p);
    return givers * mine + (takes(r) ? m - mine : 0);
  }
};

}  // namespace mpigraft::prefix
