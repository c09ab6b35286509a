// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "algorithms/info.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// The broadcast tree walked upwards: a head joins its block's value with the neighbouring block's. Invariant:
/// before level k, acc at a head holds the ordered value of its block of 2^k ranks.
struct binomial {
  template <Transport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    using namespace binomial_tree;
    const int p = net.size(), r = net.rank(), root = params.root;
    Block acc = V, in = net.scratch(V.count);
    if (r == root) {
      acc = W;
      if (siblings_of_root(p, root, true) % 2 == 1) std::swap(acc, in);  // so that the last join ends in W
      net.copy(V, acc);
    }
    for (int k = 0; k < ceil_log2(p); ++k) {
      if (head(r, k + 1, root) != r) return net.send(acc, head(r, k + 1, root));
      const int other = sibling(r, k, p, root);
      if (other == none) continue;
      net.recv(in, other);
      if (other < r) {
        net.combine(in, acc);
      } else {
        net.combine(acc, in);
        std::swap(acc, in);
        if (in == V) in = net.scratch(V.count);  // the input is read only
      }
    }
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
