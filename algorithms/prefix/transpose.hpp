// SPDX-License-Identifier: MIT
// Everybody scans a p-th of the vector for everybody.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/pieces.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Rank r owns piece r of all vectors. All to all: it gets this piece of x_0, ..., x_(p-1), and turns it into the
/// inclusive scan S_0, ..., S_(p-1). Back: rank s gets S_s, in an exclusive scan S_(s-1). With fewer elements than
/// ranks, a chain runs with one block: that is no more work, and an owner's pieces would need more than twice the
/// vector.
template <class A, bool exclusive>
class ByTranspose {
 public:
  static void text(Program& net) {
    const int p = net.size();
    if (net.length() < p) return along_chain<exclusive>(net, 1);
    const Blocks pieces{net.length(), p};
    List<Value> S = own_pieces(net, net, pieces, p - shift);
    scan_pieces(net, S);
    if (exclusive) {
      S.insert(S.begin(), nothing);
      S.pop_back();
    }
    give_back(net, net, pieces, S, takes(net.rank()));
  }

  /// Every owner receives from p-1 ranks, then sends to p-1; all give but the last rank of an exclusive scan, and all
  /// take but its first.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    if (m < p) return theorem_of_chain(exclusive, p, m, 1);
    if (p == 1) return {};
    const Blocks pieces{m, p};
    const int joins = p - 1 - shift;
    return {.rounds = 2 * (p - 1),
            .applications = joins * pieces.count(0),
            .applications_last = joins * pieces.count(p - 1),
            .sent = m + (p - 2) * pieces.count(0),
            .received = std::max({received(0, p, m), received(1, p, m), received(p - 1, p, m)})};
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
