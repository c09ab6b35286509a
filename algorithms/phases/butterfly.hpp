// SPDX-License-Identifier: MIT
// Reduce-scatter by recursive halving on a folded butterfly, in rank order, and the allgather that reverses it.
#pragma once

#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/program.hpp"
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

/// Recursive halving in a text, of the rank's input V, after the input of its folded partner has joined. Invariant:
/// before round d `sum` is the ordered value of the aligned 2^d virtual ranks around the own one, of the elements of
/// share(v, d).
inline Value reduce_scatter(Group& net, Value V, const Fold& fold, int rounds) {
  const int rank = net.rank(), v = fold.to_virtual(rank);
  Value sum = V;
  const auto join = [&](Value own, Value other, bool from_above) {
    sum = from_above ? net.combine(own, other) : net.combine(other, own);
  };
  if (fold.paired(rank)) join(sum, net.recv(fold.partner(rank), V.count), rank < fold.partner(rank));
  for (int d = 0; d < rounds; ++d) {
    const int w = v ^ 1 << d;
    const Share held = share(v, d, V.count), mine = share(v, d + 1, V.count), theirs = share(w, d + 1, V.count);
    const auto part_of = [&](Share some) { return part(sum, some.first - held.first, some.count); };
    net.send(part_of(theirs), fold.to_rank(w));
    join(part_of(mine), net.recv(fold.to_rank(w), mine.count), v < w);
  }
  return sum;
}

/// Allgather of the shares of round `rounds` by recursive doubling, as one of m elements; folded ranks get it last.
inline Value allgather(Group& net, Value message, std::int64_t m, const Fold& fold, int rounds) {
  const int rank = net.rank(), v = fold.to_virtual(rank);
  for (int d = rounds - 1; d >= 0; --d) {
    const int w = v ^ 1 << d;
    net.send(message, fold.to_rank(w));
    const Value other = net.recv(fold.to_rank(w), share(w, d + 1, m).count);
    message = v < w ? net.join({{message, other}}) : net.join({{other, message}});
  }
  net.send(message, fold.partner(rank));
  return message;
}

/// Elements that virtual rank v combines in `reduce_scatter`; it receives as many.
constexpr std::int64_t combined(const Fold& fold, int v, std::int64_t m, int rounds) {
  std::int64_t elements = v < fold.pairs ? m : 0;
  for (int d = 0; d < rounds; ++d) elements += share(v, d + 1, m).count;
  return elements;
}

}  // namespace mpigraft::folded_butterfly
