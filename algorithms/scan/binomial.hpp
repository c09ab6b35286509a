// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::scan {

constexpr int trailing_ones(int r) { return std::countr_one(static_cast<unsigned>(r)); }

/// floor(log2 p) and floor(log2(2p/3)): in further steps no rank has a partner.
constexpr int steps_up(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }

constexpr int steps_down(int p) { return std::bit_width(static_cast<unsigned>(p) / 3); }

/// Up, then down one binomial tree (Huang's BT). With t trailing ones in r, W holds the value of the 2^k ranks up to r
/// before receive k, and that of 2^t ranks when it is sent up. The missing part comes from rank r - 2^t, where there is
/// one. (The paper's condition for the senders is clear, that for the receivers is not stated.)
///
/// Example: p = 8, m = 1. 0-1>3 is x_0 (+) x_1, sent to rank 3.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1             2>3             4>5             6>7
///       2          0-1>3                           4-5>7
///       3          0-1>2           0-3>7
///       4                          0-3>5
///       5                          0-3>4           0-5>6
inline void binomial(Program& net) {
  const int p = net.size(), r = net.rank(), t = trailing_ones(r);
  Value W = net.input();
  const auto join = [&](int from) { W = net.combine(net.recv(from, W.count), W); };
  const auto barrier = [&] {
    if (net.params().barrier) dissemination_barrier(net);
  };
  for (int k = 0; k < steps_up(p); ++k) {
    if (k > 0) barrier();
    if (k < t) join(r - (1 << k));
    if (k == t) net.send(W, r + (1 << k));
  }
  for (int k = steps_down(p) - 1; k >= 0; --k) {
    barrier();
    if (k == t) join(r - (1 << k));
    if (k < t) net.send(W, r + (1 << k));
  }
  net.result(W);
}

inline constexpr AlgorithmInfo binomial_info{
    .paper = "Sanders, Traeff 2006, section 2.1; Huang 2007, BT",
    .summary = "up and down one binomial tree: least messages and work of the unpipelined",
    .rounds = "floor(log2 p) + floor(log2(2p/3))",
    .scales = true,
    .barrier = true,
};

}  // namespace mpigraft::scan
