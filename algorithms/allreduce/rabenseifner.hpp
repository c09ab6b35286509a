// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/in_groups.hpp"

namespace mpigraft::allreduce {

/// Ordered reduce-scatter, neighbours first, then an allgather that goes the same way back. Groups of three exchange
/// what the halvings leave.
///
/// Example: p = 8, m = 4. 0-7[0-1]>1 is elements 0 and 1 of x_0 (+) ... (+) x_7, sent to rank 1.
///
///   round  rank 0      rank 1      rank 2      rank 3      rank 4      rank 5      rank 6      rank 7
///       1  0[2-3]>1    1[0-1]>0    2[2-3]>3    3[0-1]>2    4[2-3]>5    5[0-1]>4    6[2-3]>7    7[0-1]>6
///       2  0-1[1]>2    0-1[3]>3    2-3[0]>0    2-3[2]>1    4-5[1]>6    4-5[3]>7    6-7[0]>4    6-7[2]>5
///       3                                                  4-7[0]>0    4-7[2]>1    4-7[1]>2    4-7[3]>3
///       4  0-7[0]>4    0-7[2]>5    0-7[1]>6    0-7[3]>7
///       5  0-7[0]>2    0-7[2]>3    0-7[1]>0    0-7[3]>1    0-7[0]>6    0-7[2]>7    0-7[1]>4    0-7[3]>5
///       6  0-7[0-1]>1  0-7[2-3]>0  0-7[0-1]>3  0-7[2-3]>2  0-7[0-1]>5  0-7[2-3]>4  0-7[0-1]>7  0-7[2-3]>6
inline void rabenseifner(Program& net) { net.result(in_groups(net, net.input(), Grouping(net.size()).twos)); }

inline constexpr AlgorithmInfo rabenseifner_info{
    .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997, (28) and (29); any p: own",
    .summary = "reduce-scatter by halving and allgather by doubling, rank order kept",
    .rounds = "q+k for p = 2^k, 3 2^k, 9 2^k, else 2 floor(log2 p) + 2",
    .cuts = Cuts::always,
    .associates_like = "recursive_doubling",
};

}  // namespace mpigraft::allreduce
