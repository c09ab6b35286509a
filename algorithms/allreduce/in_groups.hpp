// SPDX-License-Identifier: MIT
// Halving, then doubling: an ordered reduce-scatter in the first steps, exchanges of what is left in the others, and an
// allgather. Without halvings it is recursive doubling, with all of them Rabenseifner's algorithm.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/grouping.hpp"
#include "algorithms/phases/butterfly.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// A partial result that grows by the values of others in a group, and room for those. All ranks of a group combine in
/// the same way, (a (+) b) (+) c. The value may be the input V at first, which is read only: sums then go to the result
/// W.
template <Transport T>
struct GroupSum {
  T& net;
  const Block V, W;
  Block value;
  std::array<Block, 2> room;

  /// Exchanges values in a group of `size` ranks and combines them. `position` is the own place in the group;
  /// rank_at(k) is the rank at place k.
  template <class RankAt>
  void exchange(int size, int position, RankAt rank_at) {
    std::array<Block, 3> values;
    values[static_cast<std::size_t>(position)] = value;
    for (int k = 1; k < size; ++k) {
      const int to = (position + k) % size, from = (position - k + size) % size;
      const Block in = room[static_cast<std::size_t>(k - 1)];
      net.sendrecv(value, rank_at(to), in, rank_at(from));
      values[static_cast<std::size_t>(from)] = in;
    }
    value = values[0];
    for (std::size_t k = 1; k < static_cast<std::size_t>(size); ++k) {
      const Block upper = values[k], sum = upper == V ? W : upper;
      net.combine(value, upper, sum);
      room[k - 1] = value == V ? W : value;
      value = sum;
    }
  }
};

/// Invariant: before step i, virtual rank v has the ordered value of the aligned apart(i) virtual ranks around it, of
/// the elements that it keeps. The first `halvings` steps are halvings.
template <Transport T>
void run_in_groups(T& net, const Operands& operands, int halvings) {
  const Block V = operands.input, W = operands.result;
  const Grouping groups(net.size());
  const folded_butterfly::Fold& fold = groups.fold;
  const int rank = net.rank(), v = fold.to_virtual(rank);
  if (!fold.takes_part(rank)) {
    net.send(V, fold.partner(rank));
    return net.recv(W, fold.partner(rank));
  }
  const Block first = net.scratch(V.count), second = groups.threes > 0 ? net.scratch(V.count) : first;
  OrderedSum<T> halved{net, V, V, first, W};
  folded_butterfly::reduce_scatter(net, halved, fold, halvings);
  const auto kept = [share = folded_butterfly::share(v, halvings, V.count)](Block whole) { return share.of(whole); };
  GroupSum<T> sum{net, kept(V), kept(W), kept(halved.value), {kept(halved.in), kept(second)}};
  for (int i = halvings; i < groups.steps(); ++i) {
    const int size = groups.size(i), apart = groups.apart(i), position = v / apart % size;
    sum.exchange(size, position, [&](int k) { return fold.to_rank(v + (k - position) * apart); });
  }
  if (sum.value != kept(W)) net.copy(sum.value, kept(W));
  folded_butterfly::allgather(net, W, fold, halvings, halvings);
}

/// Times at which ranks end `run_in_groups` that begin it at `times`.
inline std::vector<int> done_in_groups(std::vector<int> times, int halvings) {
  const Grouping groups(static_cast<int>(times.size()));
  const auto at = [&](int v) -> int& { return times[static_cast<std::size_t>(groups.fold.to_rank(v))]; };
  const auto meet = [&](int i) {
    const int size = groups.size(i), apart = groups.apart(i);
    for (int v = 0; v < groups.virtual_ranks(); ++v) {
      if (v / apart % size > 0) continue;
      int latest = 0;
      for (int k = 0; k < size; ++k) latest = std::max(latest, at(v + k * apart));
      for (int k = 0; k < size; ++k) at(v + k * apart) = latest + size - 1;
    }
  };
  const auto folded = [&](int v) -> int& { return times[static_cast<std::size_t>(groups.fold.to_rank(v) + 1)]; };
  for (int v = 0; v < groups.fold.pairs; ++v) at(v) = 1 + std::max(at(v), folded(v));
  for (int i = 0; i < groups.steps(); ++i) meet(i);
  for (int i = halvings - 1; i >= 0; --i) meet(i);
  for (int v = 0; v < groups.fold.pairs; ++v) folded(v) = ++at(v);
  return times;
}

/// Elements that a rank combines, and elements that it sends, which are as many as it receives: those that it combines
/// and, in the allgather, those that it did not keep in halvings.
struct GroupWork {
  std::int64_t combined = 0, exchanged = 0;
};
constexpr GroupWork work_in_groups(const Grouping& groups, int rank, std::int64_t m, int halvings) {
  const folded_butterfly::Fold& fold = groups.fold;
  if (!fold.takes_part(rank)) return {0, m};
  const int v = fold.to_virtual(rank);
  const std::int64_t kept = folded_butterfly::share(v, halvings, m).count;
  const std::int64_t all = folded_butterfly::combined(fold, v, m, halvings) + groups.rounds(halvings) * kept;
  return {all, all + m - kept};
}

/// Figures for p ranks and m elements: the maximum over ranks.
constexpr Theorem theorem_in_groups(int p, std::int64_t m, int halvings) {
  const Grouping groups(p);
  Theorem most{.rounds = 2 * (groups.fold.pairs > 0) + halvings + groups.rounds()};
  for (int r = 0; r < p; ++r) {
    const GroupWork work = work_in_groups(groups, r, m, halvings);
    most.applications_last = work.combined;
    most.applications = std::max(most.applications, work.combined);
    most.sent = std::max(most.sent, work.exchanged);
  }
  most.received = most.sent;
  return most;
}
/// Elements of scratch for `run_in_groups`.
constexpr std::int64_t scratch_in_groups(int p, std::int64_t m) { return Grouping(p).threes > 0 ? 2 * m : m; }

}  // namespace mpigraft::allreduce
