// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::scan {

/// Invariant: before round k, `partial` is the value of the aligned block of 2^k ranks around r, or of those of its
/// ranks below p that r has heard of, and W that of its ranks up to r. Only the last block can be incomplete, and
/// nobody above it needs its value.
///
/// Example: p = 7, m = 1. 0-2>4 is x_0 (+) x_1 (+) x_2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1  0>1     1>0     2>3     3>2     4>5     5>4
///       2  0-1>2   0-1>3   2-3>0   2-3>1   4-5>6           6>4
///       3  0-3>4   0-3>5   0-3>6           4-6>0   4-5>1   4-6>2
inline void butterfly(Program& net) {
  const int p = net.size(), r = net.rank();
  Value W = net.input(), partial = W;
  for (int k = 0; k < ceil_log2(p); ++k) {
    const int partner = r ^ 1 << k;
    net.send(partial, partner);
    const Value in = net.recv(partner, W.count);
    if (partner < r) W = net.combine(in, W);
    partial = partner < r ? net.combine(in, partial) : net.combine(partial, in);
  }
  net.result(W);
}

inline constexpr AlgorithmInfo butterfly_info{
    .paper = "Sanders, Traeff 2006, section 2 (as in mpich2)",
    .summary = "recursive doubling with a partial result beside the prefix",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::scan
