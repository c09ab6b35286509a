// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/scan/simultaneous_binomial.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::exscan {

/// An inclusive scan, then a shift by one rank, as in programs without MPI_Exscan. Rank p-1 takes no part in the scan,
/// because nobody needs its inclusive result; that saves a round where p-1 is a power of two.
struct scan_then_shift {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    const Block sum = net.scratch(V.count), in = net.scratch(V.count);
    if (r + 1 < p) scan::run_by_doubling(net, V, sum, in, p - 1);
    net.sendrecv(sum, r + 1 < p ? r + 1 : none, W, r > 0 ? r - 1 : none);
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    const int n = ceil_log2(p - 1), moves = p > 1 ? n + 1 : 0;
    return {.rounds = moves, .applications = n * m, .sent = moves * m, .received = moves * m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff 2025, section 2",
      .summary = "straight doubling over p-1 ranks, then shift by one rank",
      .rounds = "1 + ceil(log2(p-1))",
      .associates_like = "doubling_1",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::exscan
