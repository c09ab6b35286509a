// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/info.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allreduce {

/// Partners exchange whole messages. For p = 2^k, 3 2^k or 9 2^k no ranks are folded.
struct recursive_doubling {
  static void text(Program& net) { net.result(in_groups(net, net.input(), 0)); }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) { return theorem_in_groups(p, m, 0); }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Gorlatch, Lengauer 1997, (22); groups of three: Ruefenacht, Bull, Booth 2017; fold of neighbours: own",
      .summary = "whole messages exchanged in pairs, also in threes where p = 3 2^k or 9 2^k, rank order kept",
      .rounds = "q for p = 2^k, 3 2^k, 9 2^k, else q+1",
      .same_on_all_ranks = true,
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::allreduce
