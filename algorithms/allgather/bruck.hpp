// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allgather {

/// Every rank passes all that it has to the rank s before it, s = 1, 2, 4, ..., and in the last round only what is
/// missing there.
struct bruck {
  static void text(Program& net) {
    net.result(dissemination::allgather(net, net.input_part(), net.parts(), Doubling(net.size())));
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    return dissemination::theorem_of(p, m, parts_of(p, m, params), Doubling(p));
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997; without rotation: own",
      .summary = "all that a rank has to the rank 1, 2, 4, ... before it, any p",
      .rounds = "q",
      .text = text,
      .theorem = theorem,
  };

 private:
  struct Doubling {
    constexpr explicit Doubling(int ranks) : p(ranks), q(ceil_log2(ranks)) {}
    constexpr int skip(int k) const { return k < q ? 1 << k : p; }
    int p, q;
  };
};

}  // namespace mpigraft::allgather
