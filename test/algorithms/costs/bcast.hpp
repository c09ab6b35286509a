// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/bcast/hierarchical.hpp"
#include "algorithms/bcast/lane.hpp"
#include "algorithms/bcast/scatter_allgather.hpp"
#include "algorithms/bcast/split_binary.hpp"
#include "algorithms/bcast/two_tree.hpp"
#include "test/algorithms/costs/rooted.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::bcast::costs {

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), x = nodes.root_node();
  const std::int64_t b = blocks_between_heads(N, m, params, false);
  const Times at_once(static_cast<std::size_t>(N));
  Times between = b > 0 ? after_chain(at_once, b) : after_tree(at_once, x, false);
  if (b > 0) std::rotate(between.begin(), between.end() - x, between.end());  // the chain begins at x
  const int rounds = std::ranges::max(after_nodes(nodes, between, ceil_log2));
  return rooted::over_heads<false, Chain>(nodes, rounds, b, p, m, params.root);
}

/// The root is the last of its node to be done with the scatter, and its lane the last to be done; from then on the
/// ring takes as long as with all.
inline Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return hierarchical(p, m, params);
  const Parts pieces = even_parts(m, c);
  const std::int64_t b = bcast::blocks_in_lanes(nodes, m, params);
  const int between = N > 1 ? static_cast<int>(b) - 1 + ceil_log2(N) : 0;
  return over_ranks(ceil_log2(c) + between + c - 1, c, [&](int r) {
    const Blocks cut{pieces.count(r), b};
    const int after = r + 1 < c ? r + 1 : 0;
    const auto held = [&](int s) { return piecewise::elements_held(pieces, s, c); };
    std::int64_t sent = held(r) - pieces.count(r) + m - held(after);
    if (N > 1) sent += circulant_graph::sent(0, N, cut);
    for (int k = 1; k < N; ++k) sent = std::max(sent, circulant_graph::sent(k, N, cut) + m - pieces.count(after));
    return Tally{0, sent, p > 1 ? m : 0};
  });
}

inline Cost scatter_allgather(int p, std::int64_t m, const Params& params) {
  using namespace folded_butterfly;
  if (p == 1) return {};
  const Fold fold(p, params.root);
  return over_ranks(2 * fold.rounds + (fold.pairs > 0), 1 << fold.rounds, [&](int v) {
    const int reached = leaves(v, fold.to_virtual(params.root));
    std::int64_t sent = share(v, reached + 1, m).count - share(v, fold.rounds, m).count + (v < fold.pairs ? m : 0);
    for (int d = 0; d < fold.rounds; ++d) sent += d == reached ? 0 : share(v, d + 1, m).count;
    return Tally{0, sent, m};
  });
}

inline Cost shared_flat(int p, std::int64_t m, const Params&) { return p == 1 ? Cost{} : cost_in(1, {0, m, m}); }

/// The root serves its children in turn. A rank with two children sends its half three times.
inline Cost split_binary(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const auto [half_0, half_1] = bcast::split_halves(p, m, params);
  const Pipeline rounds = bcast::rounds_of_split(p);
  const std::int64_t by_root = m + (p == 4 ? half_1.m : 0), below = (p >= 6 ? 3 : p == 5 ? 2 : 0) * half_0.m;
  return cost_in(static_cast<std::int64_t>(rounds.c0 + rounds.c1 * static_cast<double>(half_0.b - 1)),
                 {0, std::max(by_root, below), m});
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const Halves cut = halves_on_trees(p, m, params, 1, false);
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return plan_below_root(r, p); });
  return over_ranks(rounds(plans, cut, false), p, [&](int r) {
    const Plan& plan = plans[static_cast<std::size_t>(r)];
    return Tally{0, volume(plan.below, cut), volume(plan.above, cut)};
  });
}

}  // namespace mpigraft::bcast::costs
