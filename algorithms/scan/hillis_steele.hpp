// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::scan {

/// The inclusive prefix of this rank. Invariant: before the round with skip s,
/// W = V_(max(0, r-s+1)) (+) ... (+) V_r. (Sanders, Traeff 2006 print the sender condition as 0 >= r-s; it is r-s >=
/// 0.)
inline Value by_doubling(const Group& net, Value V, bool barriers = false) {
  const int r = net.rank(), p = net.size();
  Value W = V;
  for (std::int64_t s = 1; s < p; s *= 2) {
    if (barriers && s > 1) dissemination_barrier(net);
    net.send(W, r + s);
    W = net.combine(net.recv(r - s, V.count), W);
  }
  return W;
}

/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>2     2>3     3>4     4>5     5>6     6>7
///       2  0>2     0-1>3   1-2>4   2-3>5   3-4>6   4-5>7
///       3  0>4     0-1>5   0-2>6   0-3>7
inline void hillis_steele(Program& net) { net.result(by_doubling(net, net.input(), net.params().barrier)); }

inline constexpr AlgorithmInfo hillis_steele_info{
    .paper = "Hillis, Steele 1986; Sanders, Traeff 2006, section 2.2 (simultaneous binomial trees)",
    .summary = "straight doubling (Kogge-Stone; RD of Huang 2007): every rank is the last of its own binomial tree",
    .rounds = "q",
    .scales = true,
    .barrier = true,
};

}  // namespace mpigraft::scan
