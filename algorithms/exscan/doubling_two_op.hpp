// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// The bits 1, 1, 1, ... of exscan/by_pattern.hpp: rank r sends W (+) x_r to ranks r+1, r+2, r+4, ... Two applications
/// a round: one to make what is sent, one to join what comes.
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
