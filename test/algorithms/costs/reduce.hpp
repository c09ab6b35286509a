// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/reduce/lane.hpp"
#include "algorithms/reduce/linear_pipeline.hpp"
#include "algorithms/reduce/two_tree.hpp"
#include "test/algorithms/costs/rooted.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::reduce::costs {

/// Time at which x has the result of chains that rank i begins at done[i]. A rank passes block 0 on when it has come
/// and the rank is done in its node, and the others round by round. A root that ends both chains takes two rounds a
/// block.
inline int rounds_along_chains(const Times& done, int x, std::int64_t b) {
  const int N = static_cast<int>(done.size()), n = children(Chain::place(x, N, x)), blocks = static_cast<int>(b);
  const auto at = [&](int i) { return done[static_cast<std::size_t>(i)]; };
  int lower = 0, upper = 0;  // when the root's neighbours have block 0
  for (int i = 0; i < x; ++i) lower = i == 0 ? at(0) : 1 + std::max(lower, at(i));
  for (int i = N - 1; i > x; --i) upper = i == N - 1 ? at(i) : 1 + std::max(upper, at(i));
  return std::max({at(x), upper, x > 0 ? lower - (n - 1) : 0}) + n * blocks;
}

/// Time at which x has the result, where rank i starts at done[i]; along a binomial tree if b is 0.
inline int rounds_between(const Times& done, int x, std::int64_t b) {
  return b > 0 ? rounds_along_chains(done, x, b) : after_tree(done, x, true)[static_cast<std::size_t>(x)];
}

inline Cost butterfly(int p, std::int64_t m, const Params& params) {
  using namespace folded_butterfly;
  const Fold fold(p, params.root);
  const int root = fold.to_virtual(params.root);
  return over_ranks((fold.pairs > 0) + 2 * fold.rounds, p, [&](int r) {
    if (!fold.takes_part(r)) return Tally{0, m, 0};
    const int v = fold.to_virtual(r);
    const std::int64_t own = share(v, fold.rounds, m).count;
    const std::int64_t gathered = share(v, leaves(v, root) + 1, m).count;
    const std::int64_t joined = combined(fold, v, m, fold.rounds);
    return Tally{joined, m - own + (v == root ? 0 : gathered), joined + gathered - own};
  });
}

inline Cost circulant_reduce_scatter_gather(int p, std::int64_t m, const Params& params) {
  using namespace circulant_graph;
  if (p == 1) return {};
  const Graph graph(p);
  const int last = (2 * p - 1 - params.root) % p;
  return reduce_scatter_cost(graph, even_parts(m, p), last, graph.q, [&](const Pieces& pieces, std::int64_t) {
    const std::int64_t gathered = pieces.at(canonical(graph, pieces.r).extent);
    return Tally{0, pieces.r > 0 ? gathered : 0, gathered - pieces.at(1)};
  });
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const std::int64_t b = blocks_between_heads(nodes.count(), m, params, true);
  const int rounds = rounds_between(after_nodes(nodes, ceil_log2), nodes.root_node(), b);
  return rooted::over_heads<true, Chain>(nodes, rounds, b, p, m, params.root);
}

inline Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0), x = nodes.root_node();
  if (reduce::is_in_two_levels(m, c)) return hierarchical(p, m, params);
  const Parts pieces = even_parts(m, c);
  const std::int64_t b = reduce::blocks_in_lanes(N, c, m, params);
  const int rounds = rounds_between(Times(static_cast<std::size_t>(N), c - 1), x, b) + ceil_log2(c);
  return over_ranks(rounds, p, [&](int rank) {
    const int i = nodes.of(rank), r = (rank - params.root + p) % c;
    const std::int64_t mine = pieces.count(r), gathered = i == x ? piecewise::elements_held(pieces, r, c) : mine;
    const std::int64_t joined = mine * (c - 1 + rooted::passes_between<Chain>(i, x, N, b));
    return Tally{joined, m - mine + (i == x && r == 0 ? 0 : gathered), joined + gathered - mine};
  });
}

inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const std::int64_t joins = (p - 1) * m;
  return cost_in(1, {joins, m, joins}, params.root == p - 1 ? joins : 0);
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (!slices_fit(p, m, params)) return shared_flat(p, m, params);
  return slices::cost(p, m, params, params.root);
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const int root = params.root;
  const Halves cut = halves_on_trees(p, m, params, 1, true);
  std::shared_ptr<AnyRoot> trees;
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return reduce::plan_of_two_tree(r, p, root, trees); });
  return over_ranks(rounds(plans, cut, true), p, [&](int r) {
    const Plan& plan = plans[static_cast<std::size_t>(r)];
    const std::int64_t received = volume(plan.below, cut);
    return Tally{r == root && is_between(root, p) ? 0 : received, volume(plan.above, cut), received};
  });
}

inline Cost linear_pipeline(int p, std::int64_t m, const Params& params) {
  if (two_trees::is_between(params.root, p)) return two_tree(p, m, params);
  return rooted::along_tree<true, Chain>(p, m, params);
}

}  // namespace mpigraft::reduce::costs
