// SPDX-License-Identifier: MIT
// Halving, then doubling: an ordered reduce-scatter in the first steps, exchanges of what is left in the others, and an
// allgather. Without halvings it is recursive doubling, with all of them Rabenseifner's algorithm.
#pragma once

#include <array>

#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/patterns/grouping.hpp"

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

}  // namespace mpigraft::allreduce
