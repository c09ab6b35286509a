// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include "algorithms/allgather/bruck.hpp"
#include "algorithms/allgather/circulant.hpp"
#include "algorithms/allgather/hierarchical.hpp"
#include "algorithms/allgather/neighbor_exchange.hpp"
#include "algorithms/allgather/shared_flat.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::allgather::costs {

inline Cost bruck(int p, std::int64_t m, const Params& params) {
  return dissemination::allgather_cost(p, m, parts_of(p, m, params), allgather::Doubling(p));
}

inline Cost circulant(int p, std::int64_t m, const Params& params) {
  using namespace circulant_graph;
  const Parts parts = parts_of(p, m, params);
  const std::int64_t n = allgather::circulant_blocks(p, m, parts, params);
  if (n == 1) return dissemination::allgather_cost(p, m, parts, Graph(p));
  return over_ranks(n - 1 + ceil_log2(p), p, [&](int r) {
    std::int64_t passed = 0;
    for (int root = 0; root < p; ++root) passed += sent((r - root + p) % p, p, {parts.count(root), n});
    return Tally{0, passed, m - parts.count(r)};
  });
}

/// Elements that rank j of a node of c ranks passes on in its broadcast.
inline std::int64_t passed_on(int j, int c, const Blocks& blocks) {
  return blocks.b == 1 ? blocks.m * children_in_binomial_tree(j, c, 0) : circulant_graph::sent(j, c, blocks);
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Parts parts = parts_of(p, m, params);
  const NodeParts nodes(p, parts, params);
  const circulant_graph::Graph graph(nodes.count());
  Times done = after_nodes(nodes, ceil_log2);
  for (int k = 0; k < graph.q; ++k) done = after_exchange(done, graph.skip(k));
  const auto cut = [&](int c) { return allgather::cut_in_node(c, m, params); };
  const auto last = [&](int c) { return c > 1 ? static_cast<int>(cut(c).b) - 1 + ceil_log2(c) : 0; };
  return over_nodes(nodes, after_nodes(nodes, std::move(done), last), [&](int i) {
    const int c = nodes.size(i);
    const std::int64_t by_head = dissemination::sent(i, nodes.count(), nodes.of_nodes(), graph);
    return [=, pieces = nodes.in_node(i), blocks = cut(c)](int j) {
      const std::int64_t held = piecewise::elements_held(pieces, j, c), before = j > 0 ? held : by_head;
      return Tally{0, before + passed_on(j, c, blocks), held - pieces.count(j) + (j > 0 ? m : m - held)};
    };
  });
}

inline Cost ring(int p, std::int64_t m, const Params& params) {
  if (m < p) return bruck(p, m, params);
  const std::int64_t passed = m - parts_of(p, m, params).shortest(p);
  return cost_in(p - 1, {0, passed, passed});
}

/// A rank sends its part, and those of all pairs but the one that comes last.
inline Cost neighbor_exchange(int p, std::int64_t m, const Params& params) {
  if (!allgather::has_pairs(p, m)) return ring(p, m, params);
  const Parts parts = parts_of(p, m, params);
  return over_ranks(p / 2, p, [&](int r) {
    const int last = 2 * allgather::pair_of_round(r, p / 2 - 1, p);
    const std::int64_t others = p > 2 ? m - parts.count(last) - parts.count(last + 1) : 0;
    return Tally{0, parts.count(r) + others, m - parts.count(r)};
  });
}

inline Cost recursive_doubling(int p, std::int64_t m, const Params& params) {
  const Parts parts = parts_of(p, m, params);
  const folded_butterfly::Fold fold(p, 0);
  return over_ranks(fold.rounds + 2 * (fold.pairs > 0), p, [&](int r) {
    if (!fold.takes_part(r)) return Tally{0, parts.count(r), m};
    const int v = fold.to_virtual(r);
    std::int64_t passed = fold.paired(r) ? m : 0;
    for (int d = 0; d < fold.rounds; ++d)
      passed += parts.first(fold.to_rank(((v >> d) + 1) << d)) - parts.first(fold.to_rank(v >> d << d));
    return Tally{0, passed, m - parts.count(r)};
  });
}

/// A round waits for the one before only as long as two ranks publish. The last blocks of a single rank wait for
/// nobody.
inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Parts parts = parts_of(p, m, params);
  const std::int64_t length = allgather::longest_block(p, parts, params);
  std::int64_t most = 0, second = 0;
  for (int r = 0; r < p; ++r) {
    const std::int64_t b = allgather::blocks_of_part(parts.count(r), length);
    second = std::max(second, std::min(b, most));
    most = std::max(most, b);
  }
  return cost_in(second + (most > second), {0, parts.longest(p), m - parts.shortest(p)});
}

}  // namespace mpigraft::allgather::costs
