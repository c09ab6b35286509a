// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/reduce/lane.hpp"
#include "algorithms/reduce/linear_pipeline.hpp"
#include "algorithms/reduce/two_tree.hpp"
#include "test/algorithms/costs/phases.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::reduce {

/// Number of values that come to rank i: along chains in b blocks, or along a binomial tree if b is 0.
constexpr int senders_between(int i, int x, int N, std::int64_t b) {
  return b > 0 ? Chain::place(i, N, x).children() : binomial_tree::children(i, N, x);
}

/// Time at which x has the result of a binomial reduction that rank i begins at done[i].
inline int rounds_by_tree(std::vector<int> done, int x) {
  using namespace binomial_tree;
  const int N = static_cast<int>(done.size());
  for (int k = 0; k < ceil_log2(N); ++k)
    for (int i = 0; i < N; ++i) {
      const int other = head(i, k, x) == i && head(i, k + 1, x) == i ? sibling(i, k, N, x) : none;
      if (other == none) continue;
      int& own = done[static_cast<std::size_t>(i)];
      own = 1 + std::max(own, done[static_cast<std::size_t>(other)]);
    }
  return done[static_cast<std::size_t>(x)];
}
/// The same along chains. A rank passes block 0 on when it has come and the rank is done in its node, and the others
/// round by round. A root that ends both chains takes two rounds a block.
inline int rounds_along_chains(const std::vector<int>& done, int x, std::int64_t b) {
  const int N = static_cast<int>(done.size()), n = Chain::place(x, N, x).children(), blocks = static_cast<int>(b);
  const auto at = [&](int i) { return done[static_cast<std::size_t>(i)]; };
  int lower = 0, upper = 0;  // when the root's neighbours have block 0
  for (int i = 0; i < x; ++i) lower = i == 0 ? at(0) : 1 + std::max(lower, at(i));
  for (int i = N - 1; i > x; --i) upper = i == N - 1 ? at(i) : 1 + std::max(upper, at(i));
  return std::max({at(x), upper, x > 0 ? lower - (n - 1) : 0}) + n * blocks;
}

/// Time at which x has the result, where rank i starts at done[i].
inline int rounds_between(const std::vector<int>& done, int x, std::int64_t b) {
  return b > 0 ? rounds_along_chains(done, x, b) : rounds_by_tree(done, x);
}

}  // namespace mpigraft::reduce

namespace mpigraft::reduce::costs {

template <class Tree>
Cost along_tree(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Pipeline rounds = Tree::rounds(p, params.root);
  const std::int64_t b = block_count(m, params, rounds, true), received = m * static_cast<int>(rounds.c1);
  return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(b - 1)),
          .applications = received,
          .applications_last = m * Tree::place(p - 1, p, params.root).children(),
          .sent = m,
          .received = received};
}

inline Cost binomial(int p, std::int64_t m, const Params& params) {
  const int joins = binomial_tree::max_children(p, params.root);
  return {.rounds = ceil_log2(p),
          .applications = m * joins,
          .applications_last = params.root == p - 1 ? m * binomial_tree::siblings_of_root(p, params.root) : 0,
          .sent = p > 1 ? m : 0,
          .received = m * joins};
}

inline Cost butterfly(int p, std::int64_t m, const Params& params) {
  using namespace folded_butterfly;
  const Fold fold(p, params.root);
  const int root = fold.to_virtual(params.root), folded = fold.pairs > 0;
  Cost most{.rounds = folded + 2 * fold.rounds, .sent = folded ? m : 0};
  for (int v = 0; v < 1 << fold.rounds; ++v) {
    const std::int64_t own = share(v, fold.rounds, m).count;
    const std::int64_t gathered = share(v, leaves(v, root) + 1, m).count;
    const std::int64_t joined = combined(fold, v, m, fold.rounds);
    take_in(most, {joined, m - own + (v == root ? 0 : gathered), joined + gathered - own});
  }
  return most;
}

inline Cost circulant(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Blocks blocks = circulant_graph::cut(p, m, params, true);
  const std::int64_t received = circulant_graph::most_sent(p, blocks);
  const int last = (2 * p - 1 - params.root) % p;
  return {.rounds = static_cast<int>(blocks.b - 1 + ceil_log2(p)),
          .applications = received,
          .applications_last = circulant_graph::sent(last, p, blocks),
          .sent = m,
          .received = received};
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
  const NodeHeads nodes(p, params);
  const int N = nodes.count(), x = nodes.root_node();
  const std::int64_t b = blocks_between_heads(N, m, params, true);
  std::vector<int> done;
  for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
  Cost stated{.rounds = rounds_between(done, x, b), .sent = p > 1 ? m : 0};
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i), head = nodes.head(i) - nodes.first(i);
    const int from_heads = senders_between(i, x, N, b);
    for (int j = 0; j < c; ++j) {
      const std::int64_t joined = m * (binomial_tree::children(j, c, head) + (j == head ? from_heads : 0));
      take_in(stated, {joined, 0, joined});
    }
  }
  return stated;
}

inline Cost lane(int p, std::int64_t m, const Params& params) {
  const NodeHeads nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0), x = nodes.root_node();
  if (reduce::lane::is_in_two_levels(m, c)) return hierarchical(p, m, params);
  const RootedPieces pieces(m, c, params.root - nodes.first(x));
  const std::int64_t b = reduce::lane::blocks(N, c, m, params);
  const std::vector<int> done(static_cast<std::size_t>(N), c - 1);
  Cost stated{.rounds = rounds_between(done, x, b) + ceil_log2(c)};
  for (int i = 0; i < N; ++i)
    for (int l = 0; l < c; ++l) {
      const int r = pieces.relative(l);
      const std::int64_t mine = pieces.count(r), gathered = i == x ? pieces.elements_held(r) : mine;
      const std::int64_t joined = mine * (c - 1 + senders_between(i, x, N, b));
      take_in(stated, {joined, m - mine + (i == x && r == 0 ? 0 : gathered), joined + gathered - mine});
    }
  return stated;
}

/// The last step of the half that ends later in two chains towards root i. Half 1 ends with its way to i-1 or, where i
/// is 4, to 1.
constexpr int rounds_of_two_chains(int p, int i, const two_trees::Halves& halves) {
  const bool branches = i % 2 == 0 && i > 4;
  const int way_0 = i <= 2 ? p : p - 1, way_1 = i <= 2 || branches ? p + 1 : p + 2;
  const auto last = [&](int half, int way) {
    const std::int64_t k = halves.blocks(half).b;
    return k > 0 ? way + 2 * (k - 1) : 0;
  };
  return static_cast<int>(std::max(last(0, way_0), last(1, way_1)));
}

inline Cost linear_pipeline(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  if (!is_between(params.root, p)) return along_tree<Chain>(p, m, params);
  const Halves cut = reduce::linear_pipeline::halves(p, m, params);
  const std::int64_t most = params.root > 1 ? 2 * cut.elements(0) : m;
  return {.rounds = rounds_of_two_chains(p, params.root, cut),
          .applications = most,
          .applications_last = m,
          .sent = m,
          .received = most};
}

inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const std::int64_t joins = (p - 1) * m;
  return {.rounds = 1,
          .applications = joins,
          .applications_last = params.root == p - 1 ? joins : 0,
          .sent = m,
          .received = joins};
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (!slices_fit(p, m, params)) return shared_flat(p, m, params);
  return slices::cost(p, m, params, params.root);
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const int root = params.root;
  const Halves cut = reduce::two_tree::halves(p, m, params);
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return reduce::two_tree::plan(r, p, root); });
  Cost stated{.rounds = rounds(plans, cut, true)};
  for (int r = 0; r < p; ++r) {
    const Plan& plan = plans[static_cast<std::size_t>(r)];
    const std::int64_t received = volume(plan.below, cut);
    take_in(stated, {r == root && is_between(root, p) ? 0 : received, volume(plan.above, cut), received});
  }
  return stated;
}

}  // namespace mpigraft::reduce::costs
