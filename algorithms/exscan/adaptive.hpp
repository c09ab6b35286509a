// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// Trades rounds for operator applications by the machine's latency, bandwidth and combine rate, so it is
/// never worse in that model than any algorithm of Traeff 2025.
///
/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6   4-5>7
///       3  0>4     0-1>5   0-2>6   0-3>7
inline void adaptive(Program& net) { by_pattern(net, pattern_adaptive(net.size(), net.length(), net.params())); }

inline constexpr AlgorithmInfo adaptive_info{
    .paper = "own; patterns of Traeff 2025 and 2026",
    .summary = "the cheapest bit pattern for p and bytes in the linear cost model",
    .rounds = "q or q+1",
    .varies_with_length = true,
};

}  // namespace mpigraft::exscan
