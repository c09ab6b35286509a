// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/linear_pipeline.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::bcast {

/// One piece for every rank: a binomial scatter, then an allgather round the ring. Every rank but the root receives
/// every element once. With fewer elements than ranks, the whole message goes round the ring.
///
/// Example: p = 4, m = 4, root 0. [2-3]>2 is elements 2 and 3, sent to rank 2.
///
///   round  rank 0   rank 1   rank 2   rank 3
///       1  [2-3]>2
///       2  [1]>1             [3]>3
///       3  [0]>1    [1]>2    [2]>3
///       4  [3]>1    [0]>2    [1]>3
///       5  [2]>1             [0]>3
inline void scatter_allgather_ring(Program& net) {
  const int p = net.size(), root = net.params().root;
  if (net.length() < p) {
    const Blocks whole{net.length(), 1};
    return give(net, whole, along_tree(net, whole, Chain::place(net.rank(), p, root), input_of(net)));
  }
  const Parts pieces = even_parts(net.length(), p);
  const Group ranks = net.from(root);
  const Value held = piecewise::scatter(ranks, ranks.rank() == 0 ? net.input() : nothing, pieces);
  piecewise::allgather(net, ranks, held, pieces, [p](int r) { return piecewise::held_by(r, p); });
}

inline constexpr AlgorithmInfo scatter_allgather_ring_info{
    .paper = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005",
    .summary = "binomial scatter and ring allgather without the pieces that a rank has, any p, any root",
    .rounds = "q+p-1",
};

}  // namespace mpigraft::bcast
