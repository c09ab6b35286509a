// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/piecewise.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"

namespace mpigraft::reduce_scatter {

/// Every part goes straight to its owner, which sums those of lower and those of higher ranks apart, nearest ones
/// first. With fewer elements than ranks, recursive_halving runs.
///
/// Example: p = 5, m = 5. 0[1]>1 is element 1 of x_0, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4
///       1  0[1]>1  1[2]>2  2[3]>3  3[4]>4  4[0]>0
///       2  0[2]>2  1[3]>3  2[4]>4  3[0]>0  4[1]>1
///       3  0[3]>3  1[4]>4  2[0]>0  3[1]>1  4[2]>2
///       4  0[4]>4  1[0]>0  2[1]>1  3[2]>2  4[3]>3
inline void pairwise(Program& net) {
  const Parts parts = net.parts();
  if (net.length() < net.size()) return recursive_halving(net);
  net.result(
      piecewise::reduce_scatter(net, parts.count(net.rank()), [&](int owner) { return net.input(parts, owner); }));
}

inline constexpr AlgorithmInfo pairwise_info{
    .paper = "Thakur, Rabenseifner, Gropp 2005; rank order: own",
    .summary = "every part straight to its owner, rank order kept",
    .rounds = "p-1, about log2 p for m < p",
    .cuts = Cuts::always,
    .scales = true,
    .varies_with_length = true,
};

}  // namespace mpigraft::reduce_scatter
