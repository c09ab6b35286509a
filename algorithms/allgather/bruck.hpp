// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allgather {

/// Every rank passes all that it has to the rank s before it, s = 1, 2, 4, ..., and in the last round only what is
/// missing there.
struct bruck {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    const Parts& parts = operands.parts;
    const int p = net.size(), r = net.rank();
    net.copy(operands.input, W.part(parts.first(r), parts.count(r)));
    dissemination::allgather(net, W, net.scratch(scratch(p, W.count, params)), parts, Doubling(p));
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    return dissemination::theorem_of(p, m, parts_of(p, m, params), Doubling(p));
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params&) {
    return dissemination::scratch(m, Doubling(p).q);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997; without rotation: own",
      .summary = "all that a rank has to the rank 1, 2, 4, ... before it, any p",
      .rounds = "q",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  struct Doubling {
    constexpr explicit Doubling(int ranks) : p(ranks), q(ceil_log2(ranks)) {}
    constexpr int skip(int k) const { return k < q ? 1 << k : p; }
    int p, q;
  };
};

}  // namespace mpigraft::allgather
