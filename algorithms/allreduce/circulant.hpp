// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/circulant.hpp"
#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::allreduce {

/// A reduce-scatter and an allgather on the same graph; piece r is combined at rank r alone.
///
/// Example: p = 8, m = 4. [0-1]>6 is elements 0 and 1, sent to rank 6.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1           [0]>5    [0-1]>6  [0-2]>7  [0-3]>0  [1-3]>1  [2-3]>2  [3]>3
///       2  [2-3]>2  [3]>3                               [0]>7    [0-1]>0  [1-2]>1
///       3  [1]>1    [2]>2    [3]>3                                        [0]>0
///       4  [0]>7    [1]>0    [2]>1    [3]>2
///       5  [0-1]>6  [1-2]>7  [2-3]>0  [3]>1                               [0]>5
///       6  [0-3]>4  [1-3]>5  [2-3]>6  [3]>7             [0]>1    [0-1]>2  [0-2]>3
inline void circulant(Program& net) {
  const int p = net.size();
  const circulant_graph::Graph graph(p);
  const Parts parts = even_parts(net.length(), p);
  const Value own = circulant_graph::reduce_scatter(net, net.input(), graph, {parts, p, net.rank()});
  net.result(dissemination::allgather(net, own, parts, graph));
}

inline constexpr AlgorithmInfo circulant_info{
    .paper = "Traeff 2024, arXiv:2410.14234",
    .summary = "reduce-scatter and allgather on a circulant graph, the volume of a power of two for any p",
    .rounds = "2q",
    .commutative = true,
    .cuts = Cuts::always,
    .varies_with_length = true,
};

}  // namespace mpigraft::allreduce
