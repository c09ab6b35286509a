// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "algorithms/info.hpp"
#include "algorithms/patterns/dissemination_barrier.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::scan {

/// Up, then down one binomial tree (Huang's BT). With t trailing ones in r, W holds the value of the 2^k ranks up to r
/// before receive k, and that of 2^t ranks when it is sent up. The missing part comes from rank r - 2^t, where there is
/// one. (The paper's condition for the senders is clear, that for the receivers is not stated.)
struct binomial {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank(), t = trailing_ones(r);
    const Block in = net.scratch(V.count);
    const auto join = [&](int from) {
      net.recv(in, from);
      net.combine(in, W);
    };
    const auto barrier = [&] {
      if (params.barrier) dissemination_barrier(net, in.part(0, 0));
    };
    net.copy(V, W);
    for (int k = 0; k < steps_up(p); ++k) {
      if (k > 0) barrier();
      if (k < t) join(r - (1 << k));
      if (k == t && r + (1 << k) < p) net.send(W, r + (1 << k));
    }
    for (int k = steps_down(p) - 1; k >= 0; --k) {
      barrier();
      if (k == t && r - (1 << k) >= 0) join(r - (1 << k));
      if (k < t && r + (1 << k) < p) net.send(W, r + (1 << k));
    }
  }
  /// The paper states 2 ceil(log2 p) rounds, Huang 2 log2(p) - 1; both are upper bounds.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const int f = steps_up(p), t = trailing_ones(p - 1), steps = f + steps_down(p);
    return {.rounds = params.barrier ? rounds_with_barriers(steps, p) : steps,
            .applications = f * m,
            .applications_last = (t + (p - 1 >= 1 << t)) * m,
            .sent = f * m,
            .received = f * m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2.1; Huang 2007, BT",
      .summary = "up and down one binomial tree: least messages and work of the unpipelined",
      .rounds = "floor(log2 p) + floor(log2(2p/3))",
      .barrier = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static constexpr int trailing_ones(int r) { return std::countr_one(static_cast<unsigned>(r)); }
  /// floor(log2 p) and floor(log2(2p/3)): in further steps no rank has a partner.
  static constexpr int steps_up(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }
  static constexpr int steps_down(int p) { return std::bit_width(static_cast<unsigned>(p) / 3); }
};

}  // namespace mpigraft::scan
