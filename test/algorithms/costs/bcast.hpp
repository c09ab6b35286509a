// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/bcast/circulant.hpp"
#include "algorithms/bcast/hierarchical.hpp"
#include "algorithms/bcast/lane.hpp"
#include "algorithms/bcast/scatter_allgather.hpp"
#include "algorithms/bcast/split_binary.hpp"
#include "algorithms/bcast/two_tree.hpp"
#include "test/algorithms/costs/cost.hpp"
#include "test/algorithms/costs/phases.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::bcast::costs {

template <class Tree>
Cost along_tree(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Pipeline rounds = Tree::rounds(p, params.root);
  const std::int64_t b = block_count(m, params, rounds, false);
  return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(b - 1)),
          .sent = m * static_cast<int>(rounds.c1),
          .received = m};
}

inline Cost binomial(int p, std::int64_t m, const Params& params) {
  return {.rounds = ceil_log2(p), .sent = m * binomial_tree::max_children(p, params.root), .received = p > 1 ? m : 0};
}

inline Cost circulant(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Blocks blocks = circulant_graph::cut(p, m, params, false);
  return {.rounds = static_cast<int>(blocks.b - 1 + ceil_log2(p)),
          .sent = circulant_graph::most_sent(p, blocks),
          .received = m};
}

/// Times at which the heads end their last send.
inline std::vector<int> done_along_chain(int N, int x, std::int64_t b) {
  std::vector<int> done;
  for (int i = 0; i < N; ++i) {
    const int place = (i - x + N) % N;
    done.push_back(std::min(place + 1, N - 1) + static_cast<int>(b) - 1);
  }
  return done;
}

inline std::vector<int> done_by_tree(int N, int x) {
  using namespace binomial_tree;
  std::vector<int> done(static_cast<std::size_t>(N), 0);
  for (int k = ceil_log2(N) - 1; k >= 0; --k)
    for (int i = 0; i < N; ++i) {
      const int other = head(i, k + 1, x) == i ? sibling(i, k, N, x) : none;
      if (other != none) done[static_cast<std::size_t>(other)] = ++done[static_cast<std::size_t>(i)];
    }
  return done;
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const NodeHeads nodes(p, params);
  const int N = nodes.count(), x = nodes.root_node();
  const std::int64_t b = blocks_between_heads(N, m, params, false);
  const std::vector<int> done = b > 0 ? done_along_chain(N, x, b) : done_by_tree(N, x);
  Cost stated{.received = p > 1 ? m : 0};
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i), head = nodes.head(i) - nodes.first(i);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
    const int to_heads = b > 0 ? Chain::place(i, N, x).children() : binomial_tree::children(i, N, x);
    for (int j = 0; j < c; ++j)
      stated.sent = std::max(stated.sent, m * ((j == head ? to_heads : 0) + binomial_tree::children(j, c, head)));
  }
  return stated;
}

/// The root is the last of its node to be done with the scatter, and its lane the last to be done; from then on the
/// ring takes as long as with all.
inline Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return hierarchical(p, m, params);
  const RootedPieces pieces(m, c, 0);
  const std::int64_t b = bcast::lane::blocks(nodes, m, params);
  const int between = N > 1 ? static_cast<int>(b) - 1 + ceil_log2(N) : 0;
  Cost stated{.rounds = ceil_log2(c) + between + c - 1, .received = p > 1 ? m : 0};
  for (int r = 0; r < c; ++r) {
    const Blocks cut{pieces.count(r), b};
    const int after = r + 1 < c ? r + 1 : 0;
    std::int64_t sent = pieces.elements_held(r) - pieces.count(r) + m - pieces.elements_held(after);
    if (N > 1) sent += circulant_graph::sent(0, N, cut);
    for (int k = 1; k < N; ++k) sent = std::max(sent, circulant_graph::sent(k, N, cut) + m - pieces.count(after));
    stated.sent = std::max(stated.sent, sent);
  }
  return stated;
}

inline Cost scatter_allgather(int p, std::int64_t m, const Params& params) {
  using namespace folded_butterfly;
  if (p == 1) return {};
  const Fold fold(p, params.root);
  Cost most{.rounds = 2 * fold.rounds + (fold.pairs > 0), .received = m};
  for (int v = 0; v < 1 << fold.rounds; ++v) {
    const int reached = leaves(v, fold.to_virtual(params.root));
    std::int64_t sent = share(v, reached + 1, m).count - share(v, fold.rounds, m).count + (v < fold.pairs ? m : 0);
    for (int d = 0; d < fold.rounds; ++d) sent += d == reached ? 0 : share(v, d + 1, m).count;
    most.sent = std::max(most.sent, sent);
  }
  return most;
}

inline Cost scatter_allgather_ring(int p, std::int64_t m, const Params&) {
  if (p == 1) return {};
  if (m < p) return {.rounds = p - 1, .sent = m, .received = m};
  const RootedPieces pieces(m, p, 0);
  std::int64_t most = 0;
  for (int r = 0; r < p; ++r) {
    const std::int64_t round_the_ring = r + 1 < p ? m - pieces.elements_held(r + 1) : 0;
    most = std::max(most, pieces.elements_held(r) - pieces.count(r) + round_the_ring);
  }
  return {.rounds = ceil_log2(p) + p - 1, .sent = most, .received = m};
}

inline Cost shared_flat(int p, std::int64_t m, const Params&) {
  if (p == 1) return {};
  return {.rounds = 1, .sent = m, .received = m};
}

/// The root serves its children in turn. A rank with two children sends its half three times.
inline Cost split_binary(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const auto [half_0, half_1] = bcast::split_binary::halves(p, m, params);
  const Pipeline rounds = bcast::split_binary::rounds_of(p);
  const std::int64_t by_root = m + (p == 4 ? half_1.m : 0), below = (p >= 6 ? 3 : p == 5 ? 2 : 0) * half_0.m;
  return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(half_0.b - 1)),
          .sent = std::max(by_root, below),
          .received = m};
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const Halves cut = bcast::two_tree::halves(p, m, params);
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return bcast::two_tree::plan(r, p, params.root); });
  Cost stated{.rounds = rounds(plans, cut, false)};
  for (const Plan& plan : plans) take_in(stated, {0, volume(plan.below, cut), volume(plan.above, cut)});
  return stated;
}

}  // namespace mpigraft::bcast::costs
