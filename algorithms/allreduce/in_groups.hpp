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
#include "algorithms/program.hpp"

namespace mpigraft::allreduce {

/// The sum of V over all ranks. Invariant: before step i, virtual rank v has the ordered value of the aligned apart(i)
/// virtual ranks around it, of the elements that it keeps. The first `halvings` steps are halvings. All ranks of a
/// group combine in the same way, (a (+) b) (+) c.
inline Value in_groups(Group& net, Value V, int halvings) {
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

/// Times at which ranks end `in_groups` that begin it at `times`.
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

}  // namespace mpigraft::allreduce
