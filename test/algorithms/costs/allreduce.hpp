// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "algorithms/allreduce/adaptive.hpp"
#include "algorithms/allreduce/hierarchical.hpp"
#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/allreduce/two_tree.hpp"
#include "test/algorithms/costs/phases.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::allreduce::costs {

/// Times at which ranks end `in_groups` that begin it at `times`.
inline Times after_groups(Times times, int halvings) {
  const Grouping groups(static_cast<int>(times.size()));
  const folded_butterfly::Fold& fold = groups.fold;
  const auto fold_in_or_out = [&](int r) { return fold.takes_part(r) ? none : fold.partner(r); };
  const auto exchange = [&](int i) {
    const int size = groups.size(i), apart = groups.apart(i);
    const auto to_next = [&](int r) {
      if (!fold.takes_part(r)) return none;
      const int v = fold.to_virtual(r), position = v / apart % size;
      return fold.to_rank(v + ((position + 1) % size - position) * apart);
    };
    for (int k = 1; k < size; ++k) times = after_round(times, to_next);
  };
  times = after_round(times, fold_in_or_out);
  for (int i = 0; i < groups.steps(); ++i) exchange(i);
  for (int i = halvings - 1; i >= 0; --i) exchange(i);
  return after_round(times, fold_in_or_out);
}

/// Elements of one rank. It sends and receives those that it combines and, in the allgather, those that it did not keep
/// in halvings.
constexpr Tally work_in_groups(const Grouping& groups, int rank, std::int64_t m, int halvings) {
  const folded_butterfly::Fold& fold = groups.fold;
  if (!fold.takes_part(rank)) return {0, m, m};
  const int v = fold.to_virtual(rank);
  const std::int64_t kept = folded_butterfly::share(v, halvings, m).count;
  const std::int64_t all = folded_butterfly::combined(fold, v, m, halvings) + groups.rounds(halvings) * kept;
  return {all, all + m - kept, all + m - kept};
}

/// For p ranks and m elements: the maximum over ranks.
inline Cost in_groups(int p, std::int64_t m, int halvings) {
  const Grouping groups(p);
  return over_ranks(2 * (groups.fold.pairs > 0) + halvings + groups.rounds(), p,
                    [&](int r) { return work_in_groups(groups, r, m, halvings); });
}

inline Cost adaptive(int p, std::int64_t m, const Params& params) {
  return in_groups(p, m, allreduce::halvings(p, m, params));
}

inline Cost circulant(int p, std::int64_t m, const Params&) {
  using namespace circulant_graph;
  if (p == 1) return {};
  const Graph graph(p);
  // the allgather sends what the reduce-scatter received, and the other way round
  return reduce_scatter_cost(graph, even_parts(m, p), p - 1, graph.q, [=](const Pieces& pieces, std::int64_t combined) {
    return Tally{0, combined, m - pieces.at(1)};
  });
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), halvings = halvings_between(N, m, params);
  const Grouping groups(N);
  const Times done = after_groups(after_nodes(nodes, ceil_log2), halvings);
  return over_nodes(nodes, after_nodes(nodes, done, ceil_log2), [&](int i) {
    return [&, i, c = nodes.size(i)](int j) {
      const Tally work = j == 0 ? work_in_groups(groups, i, m, halvings) : Tally{0, m, m};
      return work + Tally{1, 1, 1} * (children_in_binomial_tree(j, c, 0) * m);
    };
  });
}

inline Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return hierarchical(p, m, params);
  const Parts pieces = even_parts(m, c);
  const int halvings = halvings_between(N, pieces.count(0), params);
  const Grouping groups(N);
  return over_ranks(2 * (c - 1) + in_groups(N, m, halvings).rounds, p, [&](int r) {
    const int l = r % c;
    const std::int64_t mine = pieces.count(l), others = m - mine;
    const Tally in_node{mine * (c - 1), others + m - pieces.count((l + 1) % c), mine * (c - 1) + others};
    return in_node + work_in_groups(groups, r / c, mine, halvings);
  });
}

inline Cost rabenseifner(int p, std::int64_t m, const Params&) { return in_groups(p, m, Grouping(p).twos); }

inline Cost recursive_doubling(int p, std::int64_t m, const Params&) { return in_groups(p, m, 0); }

inline Cost ring(int p, std::int64_t m, const Params& params) {
  if (m < p || p == 1) return recursive_doubling(p, m, params);
  const Parts pieces = even_parts(m, p);
  const auto without = [&](int r) { return m - pieces.count(r % p); };
  // a piece stays behind first at the rank after its own, then at its own
  return over_ranks(2 * (p - 1), p, [&](int r) {
    return Tally{without(r + p - 1), without(r) + without(r + 1), without(r + p - 1) + without(r)};
  });
}

inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  return p == 1 ? Cost{} : cost_in(in_pages(m, params).b, Tally{p - 1, 1, p - 1} * m);
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (!slices_fit(p, m, params)) return shared_flat(p, m, params);
  return slices::cost(p, m, params, 0);
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const Halves cut = halves_on_trees(p, m, params, 2, true);
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return plan_among_all(r, p); });
  Clocks clocks(plans.size());
  clocks.walk(plans, cut, true);
  clocks.walk(plans, cut, false);
  return over_ranks(clocks.latest(), p, [&](int r) {
    const Plan& plan = plans[static_cast<std::size_t>(r)];
    const std::int64_t below = volume(plan.below, cut), both = below + volume(plan.above, cut);
    return Tally{below, both, both};
  });
}

}  // namespace mpigraft::allreduce::costs
