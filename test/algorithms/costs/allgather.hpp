// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/allgather/bruck.hpp"
#include "algorithms/allgather/circulant.hpp"
#include "algorithms/allgather/hierarchical.hpp"
#include "algorithms/allgather/neighbor_exchange.hpp"
#include "algorithms/allgather/shared_flat.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::allgather::costs {

inline Cost bruck(int p, std::int64_t m, const Params& params) {
  return dissemination::allgather_cost(p, m, parts_of(p, m, params), allgather::bruck::Doubling(p));
}

inline Cost circulant(int p, std::int64_t m, const Params& params) {
  using namespace circulant_graph;
  const Parts parts = parts_of(p, m, params);
  const std::int64_t n = allgather::circulant::blocks(p, m, parts, params);
  if (n == 1) return dissemination::allgather_cost(p, m, parts, Graph(p));
  Cost stated{.rounds = static_cast<int>(n) - 1 + ceil_log2(p), .received = m - parts.shortest(p)};
  for (int r = 0; r < p; ++r) {
    std::int64_t passed = 0;
    for (int root = 0; root < p; ++root) passed += sent(Schedule(r, p, root, n), {parts.count(root), n});
    stated.sent = std::max(stated.sent, passed);
  }
  return stated;
}

/// Elements that rank j of a node of c ranks passes on in its broadcast.
inline std::int64_t passed_on(int j, int c, const Blocks& blocks) {
  return blocks.b == 1 ? blocks.m * binomial_tree::children(j, c, 0) : circulant_graph::sent(j, c, blocks);
}

inline Cost hierarchical(int p, std::int64_t m, const Params& params) {
  const Parts parts = parts_of(p, m, params);
  const NodeParts nodes(p, parts, params);
  const circulant_graph::Graph graph(nodes.count());
  std::vector<int> done;
  for (int i = 0; i < nodes.count(); ++i) done.push_back(ceil_log2(nodes.size(i)));
  for (int k = 0; k < graph.q; ++k) done = after_exchange(done, graph.skip(k));
  Cost stated;
  for (int i = 0; i < nodes.count(); ++i) {
    const int c = nodes.size(i);
    const Blocks blocks = allgather::hierarchical::cut(c, m, params);
    const RootedPieces pieces = nodes.in_node(i);
    if (c > 1) done[static_cast<std::size_t>(i)] += static_cast<int>(blocks.b) - 1 + ceil_log2(c);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)]);
    for (int j = 0; j < c; ++j) {
      const std::int64_t held = pieces.elements_held(j);
      const std::int64_t before = j > 0 ? held : dissemination::sent(i, nodes.count(), nodes.of_nodes(), graph);
      const std::int64_t comes = held - pieces.count(j) + (j > 0 ? m : m - held);
      take_in(stated, {0, before + passed_on(j, c, blocks), comes});
    }
  }
  return stated;
}

inline Cost ring(int p, std::int64_t m, const Params& params) {
  if (m < p) return bruck(p, m, params);
  const std::int64_t passed = m - parts_of(p, m, params).shortest(p);
  return {.rounds = p - 1, .sent = passed, .received = passed};
}

/// A rank sends its part, and those of all pairs but the one that comes last.
inline Cost neighbor_exchange(int p, std::int64_t m, const Params& params) {
  if (!allgather::neighbor_exchange::fits(p, m)) return ring(p, m, params);
  const Parts parts = parts_of(p, m, params);
  Cost most{.rounds = p / 2, .received = m - parts.shortest(p)};
  for (int r = 0; r < p; ++r) {
    const int last = 2 * allgather::neighbor_exchange::pair_of_round(r, p / 2 - 1, p);
    most.sent = std::max(most.sent, parts.count(r) + (p > 2 ? m - parts.count(last) - parts.count(last + 1) : 0));
  }
  return most;
}

inline Cost recursive_doubling(int p, std::int64_t m, const Params& params) {
  const Parts parts = parts_of(p, m, params);
  const folded_butterfly::Fold fold(p, 0);
  const bool folds = fold.pairs > 0;
  Cost most{.rounds = fold.rounds + 2 * folds, .received = folds ? m : m - parts.shortest(p)};
  for (int v = 0; v < 1 << fold.rounds; ++v) {
    std::int64_t passed = v < fold.pairs ? m : 0;
    for (int d = 0; d < fold.rounds; ++d)
      passed += parts.first(fold.to_rank(((v >> d) + 1) << d)) - parts.first(fold.to_rank(v >> d << d));
    most.sent = std::max(most.sent, passed);
  }
  for (int v = 0; v < fold.pairs; ++v) most.sent = std::max(most.sent, parts.count(2 * v + 1));
  return most;
}

/// A round waits for the one before only as long as two ranks publish. The last blocks of a single rank wait for
/// nobody.
inline Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const Parts parts = parts_of(p, m, params);
  const std::int64_t length = allgather::shared_flat::longest_block(p, parts, params);
  std::int64_t most = 0, second = 0;
  for (int r = 0; r < p; ++r) {
    const std::int64_t b = allgather::shared_flat::blocks(parts.count(r), length);
    second = std::max(second, std::min(b, most));
    most = std::max(most, b);
  }
  return {.rounds = static_cast<int>(second + (most > second)),
          .sent = parts.longest(p),
          .received = m - parts.shortest(p)};
}

}  // namespace mpigraft::allgather::costs
