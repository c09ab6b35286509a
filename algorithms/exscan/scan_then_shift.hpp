// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/scan/hillis_steele.hpp"

namespace mpigraft::exscan {

/// An inclusive scan, then a shift by one rank, as in programs without MPI_Exscan. Rank p-1 takes no part in the scan,
/// because nobody needs its inclusive result; that saves a round where p-1 is a power of two.
///
/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6
///       3  0>4     0-1>5   0-2>6
///       4  0>1     0-1>2   0-2>3   0-3>4   0-4>5   0-5>6   0-6>7
inline void scan_then_shift(Program& net) {
  const int p = net.size(), r = net.rank();
  const Group first_ranks = net.among(p - 1, r, {});
  net.send(r + 1 < p ? scan::by_doubling(first_ranks, net.input()) : nothing, r + 1);
  net.result(net.recv(r - 1, net.length()));
}

inline constexpr AlgorithmInfo scan_then_shift_info{
    .paper = "Traeff 2025, section 2",
    .summary = "straight doubling over p-1 ranks, then shift by one rank",
    .rounds = "1 + ceil(log2(p-1))",
    .scales = true,
    .associates_like = "doubling_1",
};

}  // namespace mpigraft::exscan
