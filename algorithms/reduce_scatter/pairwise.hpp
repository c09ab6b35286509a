// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/piecewise.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"

namespace mpigraft::reduce_scatter {

/// Every part goes straight to its owner, which sums those of lower and those of higher ranks apart, nearest ones
/// first. With fewer elements than ranks, recursive_halving runs.
///
/// Example: p = 8, m = 8. 0[1]>1 is element 1 of x_0, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0[1]>1  1[2]>2  2[3]>3  3[4]>4  4[5]>5  5[6]>6  6[7]>7  7[0]>0
///       2  0[2]>2  1[3]>3  2[4]>4  3[5]>5  4[6]>6  5[7]>7  6[0]>0  7[1]>1
///       3  0[3]>3  1[4]>4  2[5]>5  3[6]>6  4[7]>7  5[0]>0  6[1]>1  7[2]>2
///       4  0[4]>4  1[5]>5  2[6]>6  3[7]>7  4[0]>0  5[1]>1  6[2]>2  7[3]>3
///       5  0[5]>5  1[6]>6  2[7]>7  3[0]>0  4[1]>1  5[2]>2  6[3]>3  7[4]>4
///       6  0[6]>6  1[7]>7  2[0]>0  3[1]>1  4[2]>2  5[3]>3  6[4]>4  7[5]>5
///       7  0[7]>7  1[0]>0  2[1]>1  3[2]>2  4[3]>3  5[4]>4  6[5]>5  7[6]>6
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
