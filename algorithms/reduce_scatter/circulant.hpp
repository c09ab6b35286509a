// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/circulant.hpp"

namespace mpigraft::reduce_scatter {

/// Fewest rounds and least volume for any p. The order of combination begins after the owner, so the operator has to be
/// commutative.
///
/// Example: p = 7, m = 7. [4-6]>4 is elements 4 to 6, sent to rank 4.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6
///       1  [4-6]>4      [5-6]+[0]>5  [6]+[0-1]>6  [0-2]>0      [1-3]>1      [2-4]>2      [3-5]>3
///       2  [2-3]>2      [3-4]>3      [4-5]>4      [5-6]>5      [6]+[0]>6    [0-1]>0      [1-2]>1
///       3  [1]>1        [2]>2        [3]>3        [4]>4        [5]>5        [6]>6        [0]>0
inline void circulant(Program& net) {
  const int p = net.size();
  net.result(
      circulant_graph::reduce_scatter(net, net.input(), circulant_graph::Graph(p), {net.parts(), p, net.rank()}));
}

inline constexpr AlgorithmInfo circulant_info{
    .paper = "Traeff 2024, arXiv:2410.14234",
    .summary = "on a circulant graph, fewest rounds and the volume of a power of two for any p",
    .rounds = "q",
    .commutative = true,
    .cuts = Cuts::always,
    .scales = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce_scatter
