// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::bcast {

/// The butterfly reduction walked backwards: a binomial scatter that halves the message, recursive doubling, and the
/// folded ranks last. The scatter reaches virtual rank v in round `leaves(v)`. The allgather does not bring v again
/// what v then passed on, so every rank but the root receives every element once.
///
/// Example: p = 4, m = 4, root 0. [2-3]>1 is elements 2 and 3, sent to rank 1.
///
///   round  rank 0   rank 1   rank 2   rank 3
///       1  [2-3]>1
///       2  [1]>2    [3]>3
///       3  [0]>2    [2]>3
///       4  [0-1]>1           [0-1]>3  [2-3]>2
inline void scatter_allgather(Program& net) {
  using namespace folded_butterfly;
  const std::int64_t m = net.length();
  const Fold fold(net.size(), net.params().root);
  const int rank = net.rank();
  if (!fold.takes_part(rank)) return net.result(net.recv(fold.partner(rank), m));
  const int v = fold.to_virtual(rank), reached = leaves(v, fold.to_virtual(net.params().root));
  const Share held = share(v, reached + 1, m);
  const auto peer = [&](int d) { return fold.to_rank(v ^ 1 << d); };
  Value message = reached < 0 ? net.input() : net.recv(peer(reached), held.count);
  const auto part_of = [&](Share some) { return part(message, some.first - held.first, some.count); };
  for (int d = reached + 1; d < fold.rounds; ++d) net.send(part_of(share(v ^ 1 << d, d + 1, m)), peer(d));
  for (int d = fold.rounds - 1; d > reached; --d) net.send(part_of(share(v, d + 1, m)), peer(d));
  for (int d = reached; d >= 0; --d) {
    if (d < reached) net.send(message, peer(d));
    const Value other = net.recv(peer(d), share(v ^ 1 << d, d + 1, m).count);
    message = v >> d & 1 ? net.join({{other, message}}) : net.join({{message, other}});
  }
  net.send(message, fold.partner(rank));
  net.result(message);
}

inline constexpr AlgorithmInfo scatter_allgather_info{
    .paper = "Barnett et al. 1994; fold of neighbours: own",
    .summary = "binomial scatter and recursive doubling, for p other than 2^k one message more",
    .rounds = "2 floor(log2 p), 1 more unless p = 2^k",
};

}  // namespace mpigraft::bcast
