// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/allreduce/adaptive.hpp"
#include "algorithms/allreduce/dual_root.hpp"
#include "algorithms/allreduce/hierarchical.hpp"
#include "algorithms/allreduce/in_groups.hpp"
#include "algorithms/allreduce/two_tree.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/patterns/piecewise.hpp"
#include "test/algorithms/costs/phases.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::allreduce::costs {

/// Times at which ranks end `in_groups` that begin it at `times`.
inline std::vector<int> done_in_groups(std::vector<int> times, int halvings) {
  const Grouping groups(static_cast<int>(times.size()));
  const auto at = [&](int v) -> int& { return times[static_cast<std::size_t>(groups.fold.to_rank(v))]; };
  const int virtual_ranks = (1 << groups.twos) * (groups.threes == 0 ? 1 : groups.threes == 1 ? 3 : 9);
  const auto meet = [&](int i) {
    const int size = groups.size(i), apart = groups.apart(i);
    for (int v = 0; v < virtual_ranks; ++v) {
      if (v / apart % size > 0) continue;
      int latest = 0;
      for (int k = 0; k < size; ++k) latest = std::max(latest, at(v + k * apart));
      for (int k = 0; k < size; ++k) at(v + k * apart) = latest + size - 1;
    }
  };
  const auto folded = [&](int v) -> int& { return times[static_cast<std::size_t>(groups.fold.to_rank(v) + 1)]; };
  for (int v = 0; v < groups.fold.pairs; ++v) at(v) = 1 + std::max(at(v), folded(v));
  for (int i = 0; i < groups.steps(); ++i) meet(i);
  for (int i = halvings - 1; i >= 0; --i) meet(i);
  for (int v = 0; v < groups.fold.pairs; ++v) folded(v) = ++at(v);
  return times;
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
  Cost most{.rounds = 2 * (groups.fold.pairs > 0) + halvings + groups.rounds()};
  for (int r = 0; r < p; ++r) take_in(most, work_in_groups(groups, r, m, halvings));
  return most;
}

inline Cost adaptive(int p, std::int64_t m, const Params& params) {
  return in_groups(p, m, allreduce::adaptive::halvings(p, m, params));
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

/// The first block takes the heaviest way up, from the left in two rounds where a right one follows, then the
/// exchange, and the heaviest way down. The others follow as fast as a rank can turn to its neighbours. Where both
/// roots have a left child only, they turn faster, which spares the second block a round.
inline std::int64_t dual_root_rounds(int p, std::int64_t b) {
  const auto way_up = [](int size) {
    return 2 * in_order_tree::height(size) - (size > 1 && std::has_single_bit(static_cast<unsigned>(size)));
  };
  const int upper = p - allreduce::dual_root::lower(p),
            first = std::max(way_up(allreduce::dual_root::lower(p)), way_up(upper)) + 1 +
                    std::max(in_order_tree::way_down(allreduce::dual_root::lower(p)), in_order_tree::way_down(upper));
  const bool spares = p >= 8 && std::has_single_bit(static_cast<unsigned>(p)) && b > 1;
  return first + std::min(ceil_log2(p), 3) * (b - 1) - spares;
}

inline Cost dual_root(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const auto is_power = [](int size) { return std::has_single_bit(static_cast<unsigned>(size)); };
  const int upper = p - allreduce::dual_root::lower(p), neighbours = std::min(ceil_log2(p), 3);
  return {.rounds = static_cast<int>(dual_root_rounds(p, allreduce::dual_root::blocks(p, m, params))),
          .applications = m * (is_power(p) ? std::min(neighbours, 2) : neighbours),
          .applications_last = m * ((upper % 2 == 0) + is_power(upper)),
          .sent = m * neighbours,
          .received = m * neighbours};
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), halvings = halvings_between(N, m, params);
  const Grouping groups(N);
  std::vector<int> done;
  for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
  done = done_in_groups(std::move(done), halvings);
  Cost stated;
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
    for (int j = 0; j < c; ++j) {
      const Tally work = j == 0 ? work_in_groups(groups, i, m, halvings) : Tally{0, m, m};
      take_in(stated, work + Tally{1, 1, 1} * (binomial_tree::children(j, c, 0) * m));
    }
  }
  return stated;
}

inline Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return hierarchical(p, m, params);
  const RootedPieces pieces(m, c, 0);
  const int halvings = halvings_between(N, pieces.count(0), params);
  const Grouping groups(N);
  Cost stated{.rounds = 2 * (c - 1) + in_groups(N, m, halvings).rounds};
  for (int i = 0; i < N; ++i)
    for (int l = 0; l < c; ++l) {
      const std::int64_t mine = pieces.count(l), others = m - mine;
      const Tally in_node{mine * (c - 1), others + m - pieces.count((l + 1) % c), mine * (c - 1) + others};
      take_in(stated, in_node + work_in_groups(groups, i, mine, halvings));
    }
  return stated;
}

inline Cost rabenseifner(int p, std::int64_t m, const Params&) { return in_groups(p, m, Grouping(p).twos); }

inline Cost recursive_doubling(int p, std::int64_t m, const Params&) { return in_groups(p, m, 0); }

inline Cost ring(int p, std::int64_t m, const Params& params) {
  if (m < p || p == 1) return recursive_doubling(p, m, params);
  const RootedPieces pieces(m, p, 0);
  const auto without = [&](int r) { return m - pieces.count(r % p); };
  Cost most{.rounds = 2 * (p - 1), .applications_last = without(p - 2)};
  for (int r = 0; r < p; ++r) {
    // a piece stays behind first at the rank after its own, then at its own
    most.applications = std::max(most.applications, without(r + p - 1));
    most.sent = std::max(most.sent, without(r) + without(r + 1));
    most.received = std::max(most.received, without(r + p - 1) + without(r));
  }
  return most;
}

inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const std::int64_t joins = (p - 1) * m;
  return {.rounds = static_cast<int>(in_pages(m, params).b),
          .applications = joins,
          .applications_last = joins,
          .sent = m,
          .received = joins};
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (!slices_fit(p, m, params)) return shared_flat(p, m, params);
  return slices::cost(p, m, params, 0);
}

inline Cost two_tree(int p, std::int64_t m, const Params& params) {
  using namespace two_trees;
  const Halves cut = allreduce::two_tree::halves(p, m, params);
  const std::vector<Plan> plans = all_plans(p, [&](int r) { return plan_among_all(r, p); });
  Clocks clocks(plans.size());
  clocks.walk(plans, cut, true);
  clocks.walk(plans, cut, false);
  Cost stated{.rounds = clocks.latest()};
  for (const Plan& plan : plans) {
    const std::int64_t below = volume(plan.below, cut), both = below + volume(plan.above, cut);
    take_in(stated, {below, both, both});
  }
  return stated;
}

}  // namespace mpigraft::allreduce::costs
