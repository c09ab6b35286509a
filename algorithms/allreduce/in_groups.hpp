// SPDX-License-Identifier: MIT
// Halving, then doubling: an ordered reduce-scatter in the first steps, exchanges of what is left in the others, and an
// allgather. Without halvings it is recursive doubling, with all of them Rabenseifner's algorithm.
#pragma once

#include <array>
#include <bit>

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::allreduce {

/// Exchanges in groups of two, and of three where that spares a fold: 2^twos 3^threes virtual ranks, made of the p
/// ranks by folding neighbours, the first pairs, so that rank order is kept. In step i groups of virtual ranks that are
/// `apart(i)` apart exchange, nearest ones first.
struct Grouping {
  /// Takes two threes at most, because these take ceil(log2 p) rounds, and three of them one more.
  constexpr explicit Grouping(int p) : fold(p, 0), twos(fold.rounds) {
    for (int n = 1, rest = p; n <= 2 && rest % 3 == 0; ++n) {
      rest /= 3;
      if (!std::has_single_bit(static_cast<unsigned>(rest))) continue;
      fold.pairs = 0;
      twos = std::bit_width(static_cast<unsigned>(rest)) - 1;
      threes = n;
    }
  }

  constexpr int steps() const { return twos + threes; }
  /// Number of ranks in a group of step i.
  constexpr int size(int i) const { return i < twos ? 2 : 3; }
  constexpr int apart(int i) const { return i <= twos ? 1 << i : (1 << twos) * 3; }
  /// One-ported rounds from step i on.
  constexpr int rounds(int i = 0) const { return twos - i + 2 * threes; }

  folded_butterfly::Fold fold;
  int twos, threes = 0;
};

/// The sum of V over all ranks. Invariant: before step i, virtual rank v has the ordered value of the aligned apart(i)
/// virtual ranks around it, of the elements that it keeps. The first `halvings` steps are halvings. All ranks of a
/// group combine in the same way, (a (+) b) (+) c.
inline Value in_groups(const Group& net, Value V, int halvings) {
  using namespace folded_butterfly;
  const Grouping groups(net.size());
  const Fold& fold = groups.fold;
  const int rank = net.rank(), v = fold.to_virtual(rank);
  if (!fold.takes_part(rank)) {
    net.send(V, fold.partner(rank));
    return net.recv(fold.partner(rank), V.count);
  }
  Value sum = folded_butterfly::reduce_scatter(net, V, fold, halvings);
  for (int i = halvings; i < groups.steps(); ++i) {
    const int size = groups.size(i), apart = groups.apart(i), position = v / apart % size;
    const auto rank_at = [&](int k) { return fold.to_rank(v + (k - position) * apart); };
    std::array<Value, 3> values;
    values[static_cast<std::size_t>(position)] = sum;
    for (int k = 1; k < size; ++k) {
      const int to = (position + k) % size, from = (position - k + size) % size;
      net.send(sum, rank_at(to));
      values[static_cast<std::size_t>(from)] = net.recv(rank_at(from), sum.count);
    }
    sum = net.combine(net.combine(values[0], values[1]), values[2]);
  }
  return folded_butterfly::allgather(net, sum, V.count, fold, halvings);
}

}  // namespace mpigraft::allreduce
