// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include "algorithms/reduce_scatter/hierarchical.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"
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
  const int rounds = 2 * folds + fold.rounds;
  const ReversedPieces pieces(fold, parts);
  const auto kept = [&](int v, int d) {
    const std::int64_t needed = pieces.agreeing(v, d).count;
    return m < p && needed > 0 ? m : needed;
  };
  return over_ranks(rounds, p, [&](int r) {
    if (!fold.takes_part(r)) return Tally{0, m, parts.count(r)};
    const int v = fold.to_virtual(r);
    std::int64_t joined = fold.paired(r) ? m : 0, given = fold.paired(r) ? parts.count(r + 1) : 0;
    for (int d = 0; d < fold.rounds; ++d) {
      joined += kept(v, d + 1);
      given += kept(v ^ 1 << d, d + 1);
    }
    return Tally{joined, given, joined};
  });
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Parts parts = parts_of(p, m, params);
  const NodeParts nodes(p, parts, params);
  const int N = nodes.count();
  Times done = after_nodes(nodes, ceil_log2);
  for (int k = 1; k < N; ++k) done = after_exchange(done, k);
  return over_nodes(nodes, after_nodes(nodes, std::move(done), ceil_log2), [&](int i) {
    const Parts pieces = nodes.in_node(i);
    const int c = nodes.size(i);
    return [=, mine = piecewise::elements_held(pieces, 0, c)](int j) {
      const std::int64_t joined = m * children_in_binomial_tree(j, c, 0) + (j > 0 ? 0 : (N - 1) * mine);
      const std::int64_t held = piecewise::elements_held(pieces, j, c), passed = held - pieces.count(j);
      return Tally{joined, passed + (j > 0 ? m : m - mine), joined + (j > 0 ? held : 0)};
    };
  });
}

inline Cost pairwise(int p, std::int64_t m, const Params& params) {
  if (m < p) return recursive_halving(p, m, params);
  const Parts parts = parts_of(p, m, params);
  const std::int64_t longest = (p - 1) * parts.longest(p);
  return cost_in(p - 1, {longest, m - parts.shortest(p), longest}, (p - 1) * parts.count(p - 1));
}

inline Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Parts parts = parts_of(p, m, params);
  const std::int64_t longest = (p - 1) * parts.longest(p);
  const bool whole = reduce_scatter::fits_into_page(m, params);
  return cost_in(whole ? 1 : (p - 1) * in_pages(parts.longest(p), params).b,
                 {longest, whole ? m : m - parts.shortest(p), longest}, (p - 1) * parts.count(p - 1));
}

}  // namespace mpigraft::reduce_scatter::costs
