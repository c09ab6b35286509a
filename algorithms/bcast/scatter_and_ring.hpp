// SPDX-License-Identifier: MIT
// The two halves of a broadcast of a message in pieces.
#pragma once

#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// From the root down the binomial tree: every rank r gets pieces [r, r + held(r)).
template <Transport T>
void scatter(T& net, Block message, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = ceil_log2(pieces.size()) - 1; k >= 0; --k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    if (r > other)
      net.recv(pieces.held_by(message, r), pieces.rank(other));
    else
      net.send(pieces.held_by(message, other), pieces.rank(other));
  }
}

/// Round the ring, from ranks r that have pieces [r, r + has(r)): these would come last, and are not sent again.
template <Transport T, class Has>
void allgather(T& net, Block message, const RootedPieces& pieces, Has has) {
  const int p = pieces.size(), r = pieces.relative(net.rank()), after = r + 1 < p ? r + 1 : 0;
  for (int j = 1; j < p; ++j) {
    const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
    net.sendrecv(pieces.of(message, out), j <= p - has(after) ? pieces.rank(after) : none,  //
                 pieces.of(message, in), j <= p - has(r) ? pieces.rank(r + p - 1) : none);
  }
}

}  // namespace mpigraft::bcast
