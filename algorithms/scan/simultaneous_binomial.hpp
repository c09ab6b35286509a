// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/dissemination_barrier.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::scan {

/// W := V_0 (+) ... (+) V_r on the ranks r < p. Invariant: before the round with skip s,
/// sum = V_(max(0, r-s+1)) (+) ... (+) V_r, in W from the second round on.
/// (Sanders, Traeff 2006 print the sender condition as 0 >= r-s; it is r-s >= 0.)
template <AsyncTransport T>
void run_by_doubling(T& net, Block V, Block W, Block in, int p, bool with_barriers = false) {
  const int r = net.rank();
  Block sum = V;
  for (std::int64_t s = 1; s < p; s *= 2) {
    if (with_barriers && s > 1) dissemination_barrier(net, in.part(0, 0));
    const int to = r + s < p ? static_cast<int>(r + s) : none;
    const int from = r >= s ? static_cast<int>(r - s) : none;
    sendrecv_and_combine(net, sum, to, in, from, sum, W);
    if (from != none) sum = W;
  }
  if (sum == V) net.copy(V, W);
}

struct simultaneous_binomial {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    run_by_doubling(net, V, W, net.scratch(V.count), net.size(), params.barrier);
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    const int q = ceil_log2(p);
    return {.rounds = params.barrier ? rounds_with_barriers(q, p) : q,
            .applications = q * m,
            .applications_last = q * m,
            .sent = q * m,
            .received = q * m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2.2; Huang 2007, RD",
      .summary = "straight doubling (Hillis-Steele, Kogge-Stone): every rank is the last of its own binomial tree",
      .rounds = "q",
      .barrier = true,
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::scan
