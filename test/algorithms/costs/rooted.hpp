// SPDX-License-Identifier: MIT
// Costs of broadcasts, and of the reductions that reverse them.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::rooted {

/// Cost of a broadcast of m elements in which rank r passes passed(r) elements on, or of its reversal if it `reduces`.
template <class Passed>
Cost cost(bool reduces, std::int64_t rounds, int p, std::int64_t m, int root, Passed passed) {
  return over_ranks(rounds, p, [&](int r) {
    const std::int64_t below = passed(r), above = r == root ? 0 : m;
    return reduces ? Tally{below, above, below} : Tally{0, below, above};
  });
}

template <bool reduces>
Cost binomial(int p, std::int64_t m, const Params& params) {
  return cost(reduces, ceil_log2(p), p, m, params.root,
              [&](int r) { return m * children_in_binomial_tree(r, p, params.root); });
}

template <bool reduces, class Tree>
Cost along_tree(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Pipeline rounds = Tree::rounds(p, params.root);
  const std::int64_t b = block_count(m, params, rounds, reduces);
  return cost(reduces, static_cast<std::int64_t>(rounds.c0 + rounds.c1 * static_cast<double>(b - 1)), p, m, params.root,
              [&](int r) { return m * children(Tree::place(r, p, params.root)); });
}

template <bool reduces>
Cost circulant(int p, std::int64_t m, const Params& params) {
  using namespace circulant_graph;
  if (p == 1) return {};
  const Blocks blocks = cut(p, m, params, reduces);
  return cost(reduces, blocks.b - 1 + ceil_log2(p), p, m, params.root,
              [&](int r) { return sent((r - params.root + p) % p, p, blocks); });
}

/// Number of heads that head i passes the vector on to: along chains in b blocks, or along a binomial tree if b is 0.
template <class Chain>
constexpr int passes_between(int i, int x, int N, std::int64_t b) {
  return b > 0 ? children(Chain::place(i, N, x)) : children_in_binomial_tree(i, N, x);
}

/// Between the heads of nodes as `passes_between` says, and along a binomial tree in each node.
template <bool reduces, class Chain>
Cost over_heads(const Nodes& nodes, std::int64_t rounds, std::int64_t b, int p, std::int64_t m, int root) {
  return cost(reduces, rounds, p, m, root, [&](int r) {
    const int i = nodes.of(r), first = nodes.first(i), head = nodes.head(i);
    const int between = r == head ? passes_between<Chain>(i, nodes.root_node(), nodes.count(), b) : 0;
    return m * (between + children_in_binomial_tree(r - first, nodes.size(i), head - first));
  });
}

}  // namespace mpigraft::rooted
