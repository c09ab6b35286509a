// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "algorithms/info.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// How p ranks come to groups of two or three: 3^threes 2^twos virtual ranks, made of the p ranks by folding the first
/// `fold.pairs` pairs. Threes, of which two at most take no more rounds than twos, are for p that need no fold then.
struct Grouping {
  constexpr explicit Grouping(int p) : fold(p, 0), twos(fold.rounds) {
    for (int n = 1, rest = p; n <= 2 && rest % 3 == 0; ++n) {
      rest /= 3;
      if (!std::has_single_bit(static_cast<unsigned>(rest))) continue;
      fold.pairs = 0;
      twos = std::bit_width(static_cast<unsigned>(rest)) - 1;
      threes = n;
    }
  }
  constexpr int rounds() const { return twos + 2 * threes; }

  folded_butterfly::Fold fold;
  int twos, threes = 0;
};

/// The value of a rank that grows by its neighbours', and room for theirs. All ranks of a group combine in the same
/// way, (a (+) b) (+) c. At first the value is the input V, which is read only: the result W takes its place.
template <Transport T>
struct GroupSum {
  T& net;
  const Block V, W;
  Block value;
  std::array<Block, 2> room;

  /// `position` is the own place in a group of `size`; `rank_at(k)` has place k.
  template <class RankAt>
  void exchange(int size, int position, RankAt rank_at) {
    std::array<Block, 3> values;
    values[static_cast<std::size_t>(position)] = value;
    for (int k = 1; k < size; ++k) {
      const int to = (position + k) % size, from = (position - k + size) % size;
      net.sendrecv(value, rank_at(to), room[static_cast<std::size_t>(k - 1)], rank_at(from));
      values[static_cast<std::size_t>(from)] = room[static_cast<std::size_t>(k - 1)];
    }
    join(values, size);
  }
  void join(std::array<Block, 3>& values, int size) {
    value = values[0];
    for (std::size_t k = 1; k < static_cast<std::size_t>(size); ++k) {
      const Block upper = values[k], sum = upper == V ? W : upper;
      net.combine(value, upper, sum);
      room[k - 1] = value == V ? W : value;
      value = sum;
    }
  }
};

/// Invariant: before a round with groups of ranks that are s apart, virtual rank v has the ordered value of the aligned
/// s virtual ranks around it. Of p = 2^k, 3 2^k and 9 2^k ranks nobody waits for a fold.
struct recursive_doubling {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const Grouping groups(net.size());
    const folded_butterfly::Fold& fold = groups.fold;
    const int rank = net.rank(), v = fold.to_virtual(rank);
    if (!fold.takes_part(rank)) {
      net.send(V, fold.partner(rank));
      return net.recv(W, fold.partner(rank));
    }
    GroupSum<T> sum{net, V, W, V, {net.scratch(V.count), groups.threes > 0 ? net.scratch(V.count) : Block{}}};
    if (fold.paired(rank)) {
      net.recv(sum.room[0], fold.partner(rank));
      std::array<Block, 3> pair{V, sum.room[0]};
      sum.join(pair, 2);
    }
    for (int i = 0, s = 1; i < groups.twos + groups.threes; ++i) {
      const int size = i < groups.twos ? 2 : 3, position = v / s % size;
      sum.exchange(size, position, [&](int k) { return fold.to_rank(v + (k - position) * s); });
      s *= size;
    }
    if (sum.value != W) net.copy(sum.value, W);
    if (fold.paired(rank)) net.send(W, fold.partner(rank));
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    const Grouping groups(p);
    const int rounds = groups.rounds(), folded = groups.fold.pairs > 0;
    return {.rounds = rounds + 2 * folded,
            .applications = (rounds + folded) * m,
            .applications_last = rounds * m,
            .sent = (rounds + folded) * m,
            .received = (rounds + folded) * m};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return Grouping(p).threes > 0 ? 2 * m : m;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Gorlatch, Lengauer 1997, (22); groups of three: Ruefenacht, Bull, Booth 2017; fold of neighbours: own",
      .summary = "whole messages exchanged in pairs, also in threes where p = 3 2^k or 9 2^k, rank order kept",
      .rounds = "q for p = 2^k, 3 2^k, 9 2^k, else q+1",
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
