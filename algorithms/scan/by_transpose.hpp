// SPDX-License-Identifier: MIT
// Everybody scans a p-th of the vector for everybody.
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::scan {

/// Rank r owns piece r of all vectors. All to all: it gets this piece of x_0, ..., x_(p-1), and turns it into the
/// inclusive scan S_0, ..., S_(p-1). Back: rank s gets S_s, in an exclusive scan S_(s-1). With m < p only the first m
/// ranks own anything; nothing empty is sent.
template <bool exclusive>
class ByTranspose {
 public:
  template <Transport T>
  static void run(T& net, Block V, Block W, const Params&) {
    const int p = net.size(), r = net.rank();
    const Blocks pieces{V.count, p};
    const std::int64_t mine = pieces.count(r);
    const Block all = net.scratch(mine, p);
    const auto S = [&](int s) { return all.part(s * mine, mine); };
    const Rounds rounds = rounds_of(r, p, V.count);

    for (int k = rounds.first; k <= rounds.last; ++k) {
      const int owner = (r + k) % p, from = (r - k + p) % p;
      net.sendrecv(pieces.of(V, owner), gives(r, p) && pieces.count(owner) > 0 ? owner : none,  //
                   S(from), gives(from, p) && mine > 0 ? from : none);
    }
    net.copy(pieces.of(V, r), S(r));
    for (int s = 1; mine > 0 && s < p - shift; ++s) net.combine(S(s - 1), S(s));
    for (int k = rounds.first; k <= rounds.last; ++k) {
      const int owner = (r + k) % p, to = (r - k + p) % p;
      net.sendrecv(S(takes(to) ? to - shift : 0), takes(to) && mine > 0 ? to : none,  //
                   pieces.of(W, owner), takes(r) && pieces.count(owner) > 0 ? owner : none);
    }
    if (takes(r)) net.copy(S(r - shift), pieces.of(W, r));
  }

  /// Every owner receives from p-1 ranks, then sends to p-1. In an exclusive scan owner 0 receives one message less,
  /// which shows where there is no other owner.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    if (p == 1) return {};
    const Blocks pieces{m, p};
    const int joins = p - 1 - shift;
    return {.rounds = 2 * (p - 1) - (exclusive && m == 1),
            .applications = joins * pieces.count(0),
            .applications_last = joins * pieces.count(p - 1),
            .sent = m + (p - 2) * pieces.count(0),
            .received = std::max({received(0, p, m), received(1, p, m), received(p - 1, p, m)})};
  }
  /// p pieces: m, rounded up to a multiple of p. More than 2m where m < p/2: then this is not the algorithm to take.
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) { return p * Blocks{m, p}.count(0); }

 private:
  static constexpr int shift = exclusive ? 1 : 0;
  /// Whether anybody needs x_s; whether rank s has a result.
  static constexpr bool gives(int s, int p) { return s + shift < p; }
  static constexpr bool takes(int s) { return s >= shift; }

  /// In round k a rank talks to r+k as to an owner, and to r-k as an owner.
  struct Rounds {
    int first, last;
  };
  static constexpr Rounds rounds_of(int r, int p, std::int64_t m) {
    return r < m ? Rounds{1, p - 1} : Rounds{p - r, p - r + static_cast<int>(m) - 1};
  }

  static constexpr std::int64_t received(int r, int p, std::int64_t m) {
    const std::int64_t mine = Blocks{m, p}.count(r);
    const int givers = p - shift - gives(r, p);
    return givers * mine + (takes(r) ? m - mine : 0);
  }
};

}  // namespace mpigraft::scan
