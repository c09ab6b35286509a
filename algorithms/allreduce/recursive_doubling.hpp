// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/in_groups.hpp"

namespace mpigraft::allreduce {

/// Partners exchange whole messages. For p = 2^k, 3 2^k or 9 2^k no ranks are folded.
///
/// Example: p = 8, m = 1. 0-1>2 is x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>0     2>3     3>2     4>5     5>4     6>7     7>6
///       2  0-1>2   0-1>3   2-3>0   2-3>1   4-5>6   4-5>7   6-7>4   6-7>5
///       3  0-3>4   0-3>5   0-3>6   0-3>7   4-7>0   4-7>1   4-7>2   4-7>3
inline void recursive_doubling(Program& net) { net.result(in_groups(net, net.input(), 0)); }

inline constexpr AlgorithmInfo recursive_doubling_info{
    .paper = "Gorlatch, Lengauer 1997, (22); groups of three: Ruefenacht, Bull, Booth 2017; fold of neighbours: own",
    .summary = "whole messages exchanged in pairs, also in threes where p = 3 2^k or 9 2^k, rank order kept",
    .rounds = "q for p = 2^k, 3 2^k, 9 2^k, else q+1",
    .scales = true,
};

}  // namespace mpigraft::allreduce
