// SPDX-License-Identifier: MIT
// Butterfly on the largest power of two up to p, for messages cut in halves: P = 2^k virtual ranks, made of the p ranks
// by folding neighbours, the first p-P pairs, so that rank order is kept. In round d virtual rank v talks to v ^ 2^d,
// and what they share is cut in two: the lower rank's half first. Where v ends is the bit reversal of v. On it:
// reduce-scatter by recursive halving, in rank order, and the allgather that reverses it.
#pragma once

#include <bit>

#include "algorithms/program.hpp"

namespace mpigraft::folded_butterfly {

/// The ranks that take part: the lower one of each pair, or the root if it is in the pair.
struct Fold {
  constexpr Fold(int p, int head)
      : rounds(std::bit_width(static_cast<unsigned>(p)) - 1), pairs(p - (1 << rounds)), root(head) {}

  constexpr bool paired(int rank) const { return rank < 2 * pairs; }
  constexpr int partner(int rank) const { return paired(rank) ? rank ^ 1 : none; }
  constexpr int to_virtual(int rank) const { return paired(rank) ? rank / 2 : rank - pairs; }
  constexpr int to_rank(int v) const {
    if (v >= pairs) return v + pairs;
    return paired(root) && root / 2 == v ? root : 2 * v;
  }
  constexpr bool takes_part(int rank) const { return to_rank(to_virtual(rank)) == rank; }

  int rounds;  // k
  int pairs;
  int root;
};

/// Elements [first, first + count) of the message.
struct Share {
  std::int64_t first, count;
};

/// The part of m elements that v keeps after `rounds` rounds.
constexpr Share share(int v, int rounds, std::int64_t m) {
  Share kept{0, m};
  for (int d = 0; d < rounds; ++d) {
    const std::int64_t lower = kept.count - kept.count / 2;
    kept = v >> d & 1 ? Share{kept.first + lower, kept.count - lower} : Share{kept.first, lower};
  }
  return kept;
}

/// The round in which v leaves a gather to `root`, and joins a scatter: their highest differing bit. -1 at the root.
constexpr int leaves(int v, int root) { return std::bit_width(static_cast<unsigned>(v ^ root)) - 1; }

/// First step of a rank that takes part: V with the input of its folded partner, if it has one.
inline Value fold_in(const Group& net, Value V, const Fold& fold) {
  const int rank = net.rank();
  if (!fold.paired(rank)) return V;
  const Value in = net.recv(fold.partner(rank), V.count);
  return rank < fold.partner(rank) ? net.combine(V, in) : net.combine(in, V);
}

/// Recursive halving. kept(v, d) is the share that virtual rank v keeps after d rounds. Invariant: before round d `sum`
/// is the ordered value of the aligned 2^d virtual ranks around the own one, of the elements of kept(v, d).
template <class Kept>
Value halve(const Group& net, Value sum, const Fold& fold, int rounds, Kept kept) {
  const int v = fold.to_virtual(net.rank());
  for (int d = 0; d < rounds; ++d) {
    const int w = v ^ 1 << d;
    const Share held = kept(v, d), mine = kept(v, d + 1), theirs = kept(w, d + 1);
    const auto part_of = [&](Share some) { return part(sum, some.first - held.first, some.count); };
    net.send(part_of(theirs), fold.to_rank(w));
    const Value in = net.recv(fold.to_rank(w), mine.count);
    sum = v < w ? net.combine(part_of(mine), in) : net.combine(in, part_of(mine));
  }
  return sum;
}

/// Both, of shares that are halves.
inline Value reduce_scatter(const Group& net, Value V, const Fold& fold, int rounds) {
  return halve(net, fold_in(net, V, fold), fold, rounds, [m = V.count](int v, int d) { return share(v, d, m); });
}

/// Allgather of the shares of round `rounds` by recursive doubling, as one of m elements; folded ranks get it last.
inline Value allgather(const Group& net, Value message, std::int64_t m, const Fold& fold, int rounds) {
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

}  // namespace mpigraft::folded_butterfly
