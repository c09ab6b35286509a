// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// The bits 1, 0, 0, ... of exscan/by_pattern.hpp: rank r sends x_r to rank r+1, then W, which covers s = 1, 2, 4, ...
/// ranks, to rank r+s.
///
/// Example: p = 8, m = 1. 0-1>4 is x_0 (+) x_1, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2          0>2     1>3     2>4     3>5     4>6     5>7
///       3          0>3     0-1>4   1-2>5   2-3>6   3-4>7
///       4          0>5     0-1>6   0-2>7
inline void doubling_1(Program& net) { by_pattern(net, pattern_1(net.size())); }

inline constexpr AlgorithmInfo doubling_1_info{
    .paper = "Traeff 2025, section 2",
    .summary = "shift by one rank, then straight doubling over p-1 ranks",
    .rounds = "1 + ceil(log2(p-1))",
    .scales = true,
};

}  // namespace mpigraft::exscan
