// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allgather/ring.hpp"

namespace mpigraft::allgather {

constexpr bool has_pairs(int p, std::int64_t m) { return p > 1 && p % 2 == 0 && m >= p; }

/// The pair whose parts rank r gets in round i > 0.
constexpr int pair_of_round(int r, int i, int p) {
  const int away = (i + 1) / 2, up = (r + i) % 2 == 0 ? away : -away;
  return (r / 2 + up + p) % (p / 2);
}

/// Ranks 2j and 2j+1 are pair j. They exchange their parts, and then talk to the neighbour outside the pair and to
/// each other in turn. Each time a rank passes on the two parts that came last, so an even rank gets the parts of
/// pairs j-1, j+1, j-2, j+2, ..., and an odd one those of j+1, j-1, j+2, ... With an odd p, or with fewer elements than
/// ranks, ring runs.
///
/// Example: p = 8, m = 8. [0-1]>7 is elements 0 and 1, sent to rank 7.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1  [0]>1    [1]>0    [2]>3    [3]>2    [4]>5    [5]>4    [6]>7    [7]>6
///       2  [0-1]>7  [0-1]>2  [2-3]>1  [2-3]>4  [4-5]>3  [4-5]>6  [6-7]>5  [6-7]>0
///       3  [6-7]>1  [2-3]>0  [0-1]>3  [4-5]>2  [2-3]>5  [6-7]>4  [4-5]>7  [0-1]>6
///       4  [2-3]>7  [6-7]>2  [4-5]>1  [0-1]>4  [6-7]>3  [2-3]>6  [0-1]>5  [4-5]>0
inline void neighbor_exchange(Program& net) {
  const int p = net.size(), r = net.rank(), j = r / 2;
  const int partner = r ^ 1, outside = (r < partner ? r + p - 1 : r + 1) % p;
  if (!has_pairs(p, net.length())) return ring(net);
  const Parts parts = net.parts();
  const Value own = net.input_part();
  net.send(own, partner);
  const Value theirs = net.recv(partner, parts.count(partner));
  Value W = r < partner ? net.join({{own, theirs}}) : net.join({{theirs, own}});
  net.result(W, parts.first(2 * j));
  for (int i = 1; i < p / 2; ++i) {
    const int pair = pair_of_round(r, i, p), peer = i % 2 == 0 ? partner : outside;
    net.send(W, peer);
    W = net.recv(peer, parts.first(2 * pair + 2) - parts.first(2 * pair));
    net.result(W, parts.first(2 * pair));
  }
}

inline constexpr AlgorithmInfo neighbor_exchange_info{
    .paper = "Chen, Zhang, Zhang, Yuan 2005, neighbor exchange",
    .summary = "pairs of neighbours exchange two parts at a time, for even p",
    .rounds = "p/2, p-1 for odd p, q for m < p",
    .scales = true,
};

}  // namespace mpigraft::allgather
