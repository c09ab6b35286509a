// SPDX-License-Identifier: MIT
// Reduce-scatter by recursive halving on a folded butterfly, in rank order, and the allgather that reverses it.
#pragma once

#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::folded_butterfly {

/// First step of a rank that takes part: joins the input of its folded partner, if it has one. `sum` is its own input.
template <Transport T>
void fold_in(T& net, OrderedSum<T>& sum, const Fold& fold) {
  const int rank = net.rank();
  if (!fold.paired(rank)) return;
  net.recv(sum.in, fold.partner(rank));
  sum.join(0, sum.V.count, rank < fold.partner(rank));
}

/// Recursive halving. `kept(v, d)` is the share that virtual rank v keeps after d rounds. Invariant: before round d it
/// has, of the elements that it keeps, the ordered value of the aligned 2^d virtual ranks around it.
template <Transport T, class Kept>
void halve(T& net, OrderedSum<T>& sum, const Fold& fold, int rounds, Kept kept) {
  const int v = fold.to_virtual(net.rank());
  for (int d = 0; d < rounds; ++d) {
    const int w = v ^ 1 << d;
    const Share mine = kept(v, d + 1), theirs = kept(w, d + 1);
    net.sendrecv(theirs.of(sum.value), fold.to_rank(w), mine.of(sum.in), fold.to_rank(w));
    sum.join(mine.first, mine.count, v < w);
  }
}

/// Reduce-scatter of a rank that takes part. `sum` is its own input at first; in the end share(v, rounds) of it is the
/// result.
template <Transport T>
void reduce_scatter(T& net, OrderedSum<T>& sum, const Fold& fold, int rounds) {
  fold_in(net, sum, fold);
  halve(net, sum, fold, rounds, [m = sum.V.count](int v, int d) { return share(v, d, m); });
}

/// Elements that virtual rank v combines in `reduce_scatter`; it receives as many.
constexpr std::int64_t combined(const Fold& fold, int v, std::int64_t m, int rounds) {
  std::int64_t elements = v < fold.pairs ? m : 0;
  for (int d = 0; d < rounds; ++d) elements += share(v, d + 1, m).count;
  return elements;
}

/// Allgather of the shares by recursive doubling; folded ranks get the message last. `reached` is the round in which
/// the scatter brought virtual rank v its share, or `rounds` if it only has the share of the last round. In later
/// rounds of the scatter v passed parts of its share on, so it receives none of them back. In round `reached` the
/// partner, which sent the share, needs nothing of it.
template <Transport T>
void allgather(T& net, Block message, const Fold& fold, int rounds, int reached) {
  const int rank = net.rank(), v = fold.to_virtual(rank);
  const auto part = [&](int u, int d) { return share(u, d + 1, message.count).of(message); };
  for (int d = rounds - 1; d >= 0; --d) {
    const int w = v ^ 1 << d, peer = fold.to_rank(w);
    net.sendrecv(part(v, d), d == reached ? none : peer, part(w, d), d > reached ? none : peer);
  }
  if (fold.paired(rank)) net.send(message, fold.partner(rank));
}

}  // namespace mpigraft::folded_butterfly
