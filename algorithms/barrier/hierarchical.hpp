// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/barrier/dissemination.hpp"
#include "algorithms/bcast/binomial.hpp"
#include "algorithms/info.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::barrier {

/// The ranks of a node report to its first rank, the first ranks meet by dissemination, and release their nodes.
struct hierarchical {
  template <AsyncTransport T>
  static void run(T& net, const Operands& nothing, const Params& params) {
    const Nodes nodes(net.size(), params);
    const int i = nodes.of(net.rank()), first = nodes.first(i);
    Part node(net, nodes.size(i), net.rank() - first, {}, [first](int j) { return first + j; });
    reduce::binomial::run(node, nothing, {});
    if (net.rank() == first) {
      Part firsts(net, nodes.count(), i, {}, [&nodes](int k) { return nodes.first(k); });
      dissemination::run(firsts, nothing, {});
    }
    bcast::send_from_root(node, nothing.result, 0);
  }
  static Theorem theorem(int p, std::int64_t, const Params& params) {
    const Nodes nodes(p, params);
    return {.rounds = 2 * ceil_log2(nodes.largest()) + ceil_log2(nodes.count())};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "MPICH, barrier_intra_smp",
      .summary = "up a tree in each node, dissemination between one rank of each, and down again",
      .rounds = "2 log2 c + log2 N",
      .placement = Placement::consecutive,
      .flat = "dissemination",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::barrier
