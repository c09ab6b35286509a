// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// The first rounds are as in doubling_two_op, the others as in doubling_1. As few are inclusive as let s reach p-1
/// within ceil(log2 p) rounds: pattern_round_optimal in exscan/by_pattern.hpp.
///
/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6   4-5>7
///       3  0>4     0-1>5   0-2>6   0-3>7
inline void round_optimal(Program& net) { by_pattern(net, pattern_round_optimal(net.size())); }

inline constexpr AlgorithmInfo round_optimal_info{
    .paper = "Traeff 2026, arXiv:2604.25667, first algorithm",
    .summary = "fewest rounds, and among those the fewest inclusive ones",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::exscan
