// SPDX-License-Identifier: MIT
// Rounds in which rank r talks to ranks whose distance grows, modulo p.
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::dissemination {

/// Allgather in which rank r sends to r - s and receives from r + s, modulo p, for growing skips s: the vector, of
/// which each rank has its `own` part. Skips 1 = s_0 < s_1 < ... < s_q = p, each at most twice the one before it.
/// Invariant: before round k the rank has its own part and the s_k - 1 next ones.
template <class Skips>
Value allgather(const Group& net, Value own, const Parts& parts, const Skips& skips) {
  const int p = net.size(), r = net.rank();
  const Pieces pieces{parts, p, r};
  List<Value> held{own};
  for (int k = 0; k < skips.q; ++k) {
    const int s = skips.skip(k), more = skips.skip(k + 1) - s;
    const Value message = net.part_of(held, 0, pieces.at(more));
    net.send(message, r >= s ? r - s : r - s + p);
    held.push_back(net.recv(r < p - s ? r + s : r + s - p, pieces.at(s + more) - pieces.at(s)));
  }
  return net.join({{net.part_of(held, pieces.after(), pieces.before()), net.part_of(held, 0, pieces.after())}});
}

}  // namespace mpigraft::dissemination

namespace mpigraft {

/// Barrier by dissemination (Hensgen, Finkel, Manber 1988): no rank leaves before all have come. Before the round with
/// skip s a rank knows of s ranks, itself and those before it on the circle.
inline void dissemination_barrier(const Group& net) {
  const std::int64_t p = net.size(), r = net.rank();
  for (std::int64_t s = 1; s < p; s *= 2) {
    net.signal((r + s) % p);
    net.await((r + p - s) % p);
  }
}

}  // namespace mpigraft
