// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/shared_flat.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/phases/slices.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allreduce {

/// All publish block i, rank r combines slice r of all and publishes that, and all gather.
struct shared_slices {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    if (!slices_fit(net.size(), V.count, params)) return shared_flat::run(net, operands, params);
    slices::reduce(net, V, W, params, true);
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::theorem(p, m, params);
    return slices::theorem(p, m, params, 0);
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    if (!slices_fit(p, m, params)) return shared_flat::scratch(p, m, params);
    return slices::scratch(p, m, params);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Rabenseifner 2004; Graham, Shipman 2008",
      .summary = "all publish a block, every rank combines a p-th of it and publishes that, all gather",
      .rounds = "2b",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_nodes = true,
      .same_on_all_ranks = true,
      .associates_like = "shared_flat",
      .placement = Placement::one,
      .flat = "reduce_scatter_allgather",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::allreduce
