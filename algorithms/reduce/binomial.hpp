// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// The broadcast tree walked upwards: a head joins its block's value with the neighbouring block's. Invariant:
/// before level k, the sum at a head is the ordered value of its block of 2^k ranks.
struct binomial {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    using namespace binomial_tree;
    const int p = net.size(), r = net.rank(), root = params.root;
    OrderedSum<T> sum{net, V, V, net.scratch(V.count), r == root ? W : net.scratch(V.count)};
    for (int k = 0; k < ceil_log2(p); ++k) {
      if (head(r, k + 1, root) != r) return net.send(sum.value, head(r, k + 1, root));
      const int other = sibling(r, k, p, root);
      if (other == none) continue;
      const auto arriving = net.irecv(sum.in, other);
      if (r == root) {
        sum.join_arriving(arriving, other > r);
        continue;
      }
      net.wait(arriving);
      sum.join(0, V.count, other > r);
    }
    if (p == 1) net.copy(V, W);
  }
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    const int joins = binomial_tree::max_children(p, params.root);
    return {.rounds = ceil_log2(p),
            .applications = m * joins,
            .applications_last = params.root == p - 1 ? m * binomial_tree::siblings_of_root(p, params.root) : 0,
            .sent = p > 1 ? m : 0,
            .received = m * joins};
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Sanders, Speck, Traeff 2009, section 1; any root in rank order: own",
      .summary = "binomial tree over aligned blocks, whole messages, rank order kept for every root",
      .rounds = "q",
      .theorem = theorem,
      .scratch = scratch,
  };
};

}  // namespace mpigraft::reduce
