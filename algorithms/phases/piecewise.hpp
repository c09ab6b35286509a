// SPDX-License-Identifier: MIT
// Phases on a vector of one piece for each rank: scatter and gather along the binomial tree, reduce-scatter by direct
// exchange, and allgather round the ring.
#pragma once

#include <vector>

#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/rooted_pieces.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::piecewise {

/// Scatter from the root down the binomial tree: rank r gets pieces [r, r + held(r)).
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

/// The same in a text: `held`, which the root has, becomes the pieces [r, r + held(r)).
inline Value scatter(Group& net, Value held, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = ceil_log2(pieces.size()) - 1; k >= 0; --k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    const std::int64_t first = pieces.first(other) - pieces.first(r);
    if (r > other)
      held = net.recv(pieces.rank(other), pieces.elements_held(r));
    else
      net.send(part(held, first, pieces.elements_held(other)), pieces.rank(other));
  }
  return held;
}

/// Gather up the binomial tree: rank r collects pieces [r, r + held(r)) and passes them on.
template <Transport T>
void gather(T& net, Block all, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = 0; k < ceil_log2(pieces.size()); ++k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    if (other < r) return net.send(pieces.held_by(all, r), pieces.rank(other));
    net.recv(pieces.held_by(all, other), pieces.rank(other));
  }
}

/// Blocks of rank j: its own value, and room for the sums of ranks 0..j, of ranks j+1..p-1, and of all. `lower` may be
/// `own`, and `all` may be `upper`.
struct SumsOfPiece {
  Block own, lower, upper, all;
};

/// Sums the own piece over all ranks, in rank order. Rank j sends every `owner` its piece, and gets the own piece from
/// ranks j-1, ..., 0, then p-1, ..., j+1. exchange(owner, from, old, sum) does both and sets sum := piece (+) *old, or
/// sum := piece if `old` is null.
template <Transport T, class Exchange>
void sum_by_exchange(T& net, const SumsOfPiece& sums, Exchange exchange) {
  const int p = net.size(), j = net.rank();
  if (p == 1) return net.copy(sums.own, sums.all);
  Block held = sums.own;
  for (int k = 1; k < p; ++k) {
    const int owner = (j + k) % p, from = (j - k + p) % p;
    if (from > j) {
      exchange(owner, from, from == p - 1 ? nullptr : &sums.upper, sums.upper);
    } else {
      const Block& sum = j == p - 1 ? sums.all : sums.lower;
      exchange(owner, from, &held, sum);
      held = sum;
    }
  }
  if (j < p - 1) net.combine(held, sums.upper, sums.all);
}

/// `sum_by_exchange` by messages. piece(owner) is the block to send to `owner`; `in` is room for an arrival.
template <AsyncTransport T, class Piece>
void sum_by_messages(T& net, const SumsOfPiece& sums, Block in, Piece piece) {
  sum_by_exchange(net, sums, [&](int owner, int from, const Block* old, Block sum) {
    if (old)
      sendrecv_and_combine(net, piece(owner), owner, in, from, *old, sum);
    else
      net.sendrecv(piece(owner), owner, sum, from);
  });
}

/// In texts: the sum of the own piece of all ranks, in rank order; piece(owner) is what `owner` sums.
template <class Piece>
Value reduce_scatter(Group& net, std::int64_t count, Piece piece) {
  const int p = net.size(), j = net.rank();
  Value lower = piece(j), upper = nothing;  // sums of ranks 0..j and j+1..p-1, as far as these have come
  for (int k = 1; k < p; ++k) {
    const int owner = (j + k) % p, from = (j - k + p) % p;
    net.send(piece(owner), owner);
    const Value in = net.recv(from, count);
    (from > j ? upper : lower) = net.combine(in, from > j ? upper : lower);
  }
  return net.combine(lower, upper);
}

/// The pieces [r, r + held(r)) at rank r, of which `own` is the first; all at the root.
inline Value gather(Group& net, Value own, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = 0; k < ceil_log2(pieces.size()); ++k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    if (other < r) {
      net.send(own, pieces.rank(other));
      return nothing;
    }
    own = net.join({{own, net.recv(pieces.rank(other), pieces.elements_held(other))}});
  }
  return own;
}

/// Allgather round the ring. Relative rank r has pieces [r, r + has(r)) at the begin. The ring would bring these last,
/// so they are not sent again.
template <Transport T, class Has>
void allgather(T& net, Block message, const RootedPieces& pieces, Has has) {
  const int p = pieces.size(), r = pieces.relative(net.rank()), after = r + 1 < p ? r + 1 : 0;
  for (int j = 1; j < p; ++j) {
    const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
    net.sendrecv(pieces.of(message, out), j <= p - has(after) ? pieces.rank(after) : none,  //
                 pieces.of(message, in), j <= p - has(r) ? pieces.rank(r + p - 1) : none);
  }
}

/// The same in a text: `held` are the pieces [r, r + has(r)), and all become the result.
template <class Has>
void allgather(Program& program, Group& net, Value held, const RootedPieces& pieces, Has has) {
  const int p = pieces.size(), r = pieces.relative(net.rank()), after = r + 1 < p ? r + 1 : 0;
  List<Value> have(static_cast<std::size_t>(p));
  const auto at = [&](int i) -> Value& { return have[static_cast<std::size_t>(i)]; };
  for (int i = r; i < r + has(r); ++i) at(i) = part(held, pieces.first(i) - pieces.first(r), pieces.count(i));
  program.result(held, pieces.first(r));
  for (int j = 1; j < p; ++j) {
    const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
    net.begin_round();
    if (j <= p - has(after)) net.send(at(out), pieces.rank(after));
    if (j <= p - has(r)) program.result(at(in) = net.recv(pieces.rank(r + p - 1), pieces.count(in)), pieces.first(in));
  }
}

}  // namespace mpigraft::piecewise
