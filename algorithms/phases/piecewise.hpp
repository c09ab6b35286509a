// SPDX-License-Identifier: MIT
// A vector in one piece for each rank: apart down the binomial tree, or summed, and together round the ring.
#pragma once

#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::piecewise {

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

/// In rank order: at rank j, `sum` becomes the sum of its piece of all V. That comes from ranks j-1, ..., 0 and then
/// p-1, ..., j+1; `lower` sums up to the own one, `sum` the others.
template <Transport T>
void reduce_scatter(T& net, Block V, Block sum, const RootedPieces& pieces) {
  const int p = net.size(), j = net.rank(), r = pieces.relative(j);
  const Block in = net.scratch(sum.count), lower = j + 1 < p ? net.scratch(sum.count) : sum;
  net.copy(pieces.of(V, r), lower);
  for (int k = 1; k < p; ++k) {
    const int owner = (j + k) % p, from = (j - k + p) % p;
    const Block room = from == p - 1 ? sum : in;
    net.sendrecv(pieces.of(V, pieces.relative(owner)), owner, room, from);
    if (from == p - 1) continue;
    net.combine(in, from < j ? lower : sum);
  }
  if (j + 1 < p) net.combine(lower, sum);
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

}  // namespace mpigraft::piecewise
