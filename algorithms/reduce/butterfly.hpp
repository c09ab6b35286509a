// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::reduce {

/// Ordered reduce-scatter, neighbours first, then a gather that goes the same way back.
///
/// Example: p = 7, m = 8, root 0. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6
///       1              1>0                     3>2                     5>4
///       2  0-1[4-7]>2              2-3[0-3]>0              4-5[4-7]>6              6[0-3]>4
///       3  0-3[2-3]>4              0-3[6-7]>6              4-6[0-1]>0              4-6[4-5]>2
///       4                                                  0-6[2-3]>0              0-6[6-7]>2
///       5                          0-6[4-7]>0
inline void butterfly(Program& net) {
  using namespace folded_butterfly;
  const std::int64_t m = net.length();
  const Fold fold(net.size(), net.params().root);
  const int rank = net.rank(), v = fold.to_virtual(rank), root = fold.to_virtual(net.params().root);
  if (!fold.takes_part(rank)) return net.send(net.input(), fold.partner(rank));
  Value sum = folded_butterfly::reduce_scatter(net, net.input(), fold, fold.rounds);
  for (int d = fold.rounds - 1; d >= 0; --d) {
    const int w = v ^ 1 << d;
    if (d == leaves(v, root)) return net.send(sum, fold.to_rank(w));
    const Value other = net.recv(fold.to_rank(w), share(w, d + 1, m).count);
    sum = v < w ? net.join({{sum, other}}) : net.join({{other, sum}});
  }
  net.result(sum);
}

inline constexpr AlgorithmInfo butterfly_info{
    .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997; any p, any root: own",
    .summary = "reduce-scatter by halving and gather, rank order kept for every root",
    .rounds = "2 floor(log2 p), 1 more unless p = 2^k",
    .cuts = Cuts::always,
};

}  // namespace mpigraft::reduce
