// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// Before a round W = x_(r-s) (+) ... (+) x_(r-1), in exscan/by_pattern.hpp; every round includes the own input:
///   round 1   s = 0   rank r sends x_r to rank r+1
///   round 2   s = 1   rank r sends W (+) x_r to rank r+2
///   round 3   s = 3   rank r sends W (+) x_r to rank r+4
///   round 4   s = 7   rank r sends W (+) x_r to rank r+8
/// and so on while s < p-1. Two applications a round: one to make what is sent, one to join what comes.
///
/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6   4-5>7
///       3  0>4     0-1>5   0-2>6   0-3>7
inline void doubling_two_op(Program& net) { by_pattern(net, pattern_two_op(net.size())); }

inline constexpr AlgorithmInfo doubling_two_op_info{
    .paper = "Traeff 2025, section 2",
    .summary = "straight doubling that sends W (+) V in every round",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::exscan
