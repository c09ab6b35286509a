// SPDX-License-Identifier: MIT
// Everybody scans a p-th of the vector for everybody.
#pragma once

#include <vector>

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

 private:
  static constexpr int shift = exclusive ? 1 : 0;
  /// True if rank s has a result.
  static constexpr bool takes(int s) { return s >= shift; }
};

}  // namespace mpigraft::prefix
