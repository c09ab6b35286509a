// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// The bits 1, 1, 0, 0, ... of exscan/by_pattern.hpp: rank r sends x_r to rank r+1, W (+) x_r to rank r+2, then W,
/// which covers s = 3, 6, 12, ... ranks, to rank r+s.
///
/// Example: p = 8, m = 1. 0-2>4 is x_0 (+) x_1 (+) x_2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6   4-5>7
///       3          0>4     0-1>5   0-2>6   1-3>7
///       4          0>7
inline void doubling_123(Program& net) { by_pattern(net, pattern_123(net.size())); }

inline constexpr AlgorithmInfo doubling_123_info{
    .paper = "Traeff 2025, section 2, Algorithm 1",
    .summary = "skips 1, 2, 3, 6, 12, ...: one inclusive round after the first",
    .rounds = "ceil(log2(p-1) + log2(4/3))",
    .scales = true,
};

}  // namespace mpigraft::exscan
