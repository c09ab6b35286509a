// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/phases/slices.hpp"
#include "algorithms/reduce/shared_flat.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// All publish block i, rank r combines slice r of all and publishes that, and the root gathers.
struct shared_slices {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    if (!slices_fit(net.size(), V.count, params)) return shared_flat::run(net, operands, params);
    slices::reduce(net, V, W, params, net.rank() == params.root);
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::theorem(p, m, params);
    return slices::theorem(p, m, params, params.root);
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::scratch(p, m, params);
    return slices::scratch(p, m, params);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Rabenseifner 2004; Graham, Shipman 2008",
      .summary = "all publish a block, every rank combines a p-th of it and publishes that, the root gathers",
      .rounds = "2b",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .associates_like = "linear_pipeline",
      .placement = Placement::one,
      .flat = "butterfly",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
