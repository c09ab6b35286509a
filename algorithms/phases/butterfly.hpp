// SPDX-License-Identifier: MIT
// The two ways of a vector through a butterfly, cut in halves: a reduction that keeps rank order, and back.
#pragma once

#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::folded_butterfly {

/// At a rank that takes part, with its own input as the sum: what its partner has is joined.
template <Transport T>
void fold_in(T& net, OrderedSum<T>& sum, const Fold& fold) {
  const int rank = net.rank();
  if (!fold.paired(rank)) return;
  net.recv(sum.in, fold.partner(rank));
  sum.join(0, sum.V.count, rank < fold.partner(rank));
}

/// After d rounds kept(v, d) is left to virtual rank v. Invariant: before round d it has the ordered value of
/// the aligned 2^d virtual ranks around it, of the elements that it keeps.
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

/// At a rank that takes part, with its own input as the sum.
template <Transport T>
void reduce_scatter(T& net, OrderedSum<T>& sum, const Fold& fold, int rounds) {
  fold_in(net, sum, fold);
  halve(net, sum, fold, rounds, [m = sum.V.count](int v, int d) { return share(v, d, m); });
}

/// Elements that virtual rank v combines in it, which are as many as it receives.
constexpr std::int64_t combined(const Fold& fold, int v, std::int64_t m, int rounds) {
  std::int64_t elements = v < fold.pairs ? m : 0;
  for (int d = 0; d < rounds; ++d) elements += share(v, d + 1, m).count;
  return elements;
}

/// From the shares of all, by recursive doubling, and to the folded ranks last. Virtual rank v has had its share of
/// round `reached` before, and passed on what it had of it: it receives nothing more until that round, and its partner
/// of that round has all that it could send. A rank that has only its share of the last round: `rounds`.
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
