// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/info.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allreduce {

/// Ordered reduce-scatter, neighbours first, then an allgather that goes the same way back. Groups of three exchange
/// what the halvings leave.
struct reduce_scatter_allgather {
  static void text(Program& net) { net.result(in_groups(net, net.input(), Grouping(net.size()).twos)); }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    return theorem_in_groups(p, m, Grouping(p).twos);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997, (28) and (29); any p: own",
      .summary = "reduce-scatter by halving and allgather by doubling, rank order kept",
      .rounds = "2 floor(log2 p), 2 more unless p = 2^k, 3 2^k, 9 2^k",
      .cuts = Cuts::always,
      .same_on_all_ranks = true,
      .associates_like = "recursive_doubling",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::allreduce
