// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/in_groups.hpp"

namespace mpigraft::allreduce {

inline int halvings(int p, std::int64_t m, const Params& params) {
  const Grouping groups(p);
  const double bytes = static_cast<double>(m) * static_cast<double>(params.element_bytes);
  const Machine& machine = params.machine;
  const auto seconds = [&](int h) {
    const double kept = std::ldexp(1, -h), combined = 1 - kept + kept * groups.rounds(h);
    return h * machine.latency +
           bytes * (combined * (machine.per_byte + machine.combine_per_byte) + (1 - kept) * machine.per_byte);
  };
  int best = 0;
  for (int h = 1; h <= groups.twos; ++h)
    if (seconds(h) < seconds(best)) best = h;
  return best;
}

/// Recursive halving as often as it pays on this machine, then doubling. Each halving takes one more round, and halves
/// what the later steps exchange.
///
/// Example: p = 8, m = 4. 0-1>2 is x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1     1>0     2>3     3>2     4>5     5>4     6>7     7>6
///       2  0-1>2   0-1>3   2-3>0   2-3>1   4-5>6   4-5>7   6-7>4   6-7>5
///       3  0-3>4   0-3>5   0-3>6   0-3>7   4-7>0   4-7>1   4-7>2   4-7>3
inline void adaptive(Program& net) {
  net.result(in_groups(net, net.input(), halvings(net.size(), net.length(), net.params())));
}

inline constexpr AlgorithmInfo adaptive_info{
    .paper = "own; between recursive_doubling and rabenseifner",
    .summary = "as many halvings as pay by latency and bandwidth, doubling, allgather, rank order kept",
    .rounds = "q+h for h halvings and p = 2^k, 3 2^k, 9 2^k, else q+h+1",
    .cuts = Cuts::always,
    .associates_like = "recursive_doubling",
};

}  // namespace mpigraft::allreduce
