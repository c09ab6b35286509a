// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/reduce_scatter/hierarchical.hpp"
#include "algorithms/reduce_scatter/shared_slices.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::reduce_scatter::costs {

inline Cost circulant(int p, std::int64_t m, const Params& params) {
  using namespace circulant_graph;
  if (p == 1) return {};
  return reduce_scatter_cost(Graph(p), parts_of(p, m, params), p - 1, 0,
                             [](const Pieces&, std::int64_t) { return Tally{}; });
}

inline Cost recursive_halving(int p, std::int64_t m, const Params& params) {
  using namespace folded_butterfly;
  const Parts parts = parts_of(p, m, params);
  const Fold fold(p, 0);
  const bool folds = fold.pairs > 0;
  Cost most{.rounds = 2 * folds + fold.rounds, .sent = folds ? m : 0};
  if (m < p) {
    std::int64_t given = 0;
    for (int v = 0; v < fold.pairs; ++v) given = std::max(given, parts.count(2 * v + 1));
    most.applications_last = fold.rounds * m;
    most.applications = most.received = most.applications_last + (folds ? m : 0);
    most.sent = std::max(most.sent, most.applications_last + given);
    return most;
  }
  const ReversedPieces pieces(fold, parts);
  for (int v = 0; v < pieces.size(); ++v) {
    const bool paired = v < fold.pairs;
    std::int64_t joined = paired ? m : 0;
    for (int d = 1; d <= fold.rounds; ++d) joined += pieces.agreeing(v, d).count;
    const std::int64_t given = m - pieces.agreeing(v, fold.rounds).count + (paired ? parts.count(2 * v + 1) : 0);
    take_in(most, {joined, given, joined});
  }
  return most;
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  if (m == 1) return recursive_halving(p, m, params);
  const Parts parts = parts_of(p, m, params);
  const NodeParts nodes(p, parts, params);
  const int N = nodes.count();
  std::vector<int> done;
  for (int i = 0; i < N; ++i) done.push_back(ceil_log2(nodes.size(i)));
  for (std::int64_t turn = 0; turn < reduce_scatter::hierarchical::turns(m, nodes); ++turn)
    for (int k = 1; k < N; ++k) done = after_exchange(done, k);
  Cost stated;
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i);
    const RootedPieces pieces = nodes.in_node(i);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + ceil_log2(c));
    const std::int64_t mine = pieces.elements_held(0);
    for (int j = 0; j < c; ++j) {
      const std::int64_t joined = m * binomial_tree::children(j, c, 0) + (j > 0 ? 0 : (N - 1) * mine);
      const std::int64_t held = pieces.elements_held(j), passed = held - pieces.count(j);
      take_in(stated, {joined, passed + (j > 0 ? m : m - mine), joined + (j > 0 ? held : 0)});
    }
  }
  return stated;
}

inline Cost pairwise(int p, std::int64_t m, const Params& params) {
  if (m < p) return recursive_halving(p, m, params);
  const Parts parts = parts_of(p, m, params);
  const std::int64_t longest = (p - 1) * parts.longest(p);
  return {.rounds = p - 1,
          .applications = longest,
          .applications_last = (p - 1) * parts.count(p - 1),
          .sent = m - parts.shortest(p),
          .received = longest};
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Parts parts = parts_of(p, m, params);
  const std::int64_t longest = (p - 1) * parts.longest(p);
  const bool whole = reduce_scatter::shared_slices::fits_into_page(m, params);
  return {.rounds = whole ? 1 : static_cast<int>((p - 1) * in_pages(parts.longest(p), params).b),
          .applications = longest,
          .applications_last = (p - 1) * parts.count(p - 1),
          .sent = whole ? m : m - parts.shortest(p),
          .received = longest};
}

}  // namespace mpigraft::reduce_scatter::costs
