// SPDX-License-Identifier: MIT
// Figures of the two-level scans, for nodes of any sizes.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/between_nodes_figures.hpp"

namespace mpigraft::prefix {

/// Work of rank j of a node of c ranks in the scan within its node.
inline Tally within_node(bool exclusive, int c, int j, BitPattern pattern) {
  if (exclusive)
    return {exscan::applications(pattern, c, j), exscan::sends(pattern, c, j), exscan::receives(pattern, j)};
  const int from = std::bit_width(static_cast<unsigned>(j)), to = std::bit_width(static_cast<unsigned>(c - 1 - j));
  return {from, to, from};
}

/// Work of rank j of node i > 0, of c ranks, after the scan between nodes: P comes and goes on, and is joined unless
/// the chain has done it.
inline Tally after_nodes(bool exclusive, int c, int j, std::int64_t b) {
  const bool is_last = j == c - 1;
  return {exclusive ? j > 0 : !is_last || b == 0, binomial_tree::children(j, c, c - 1), !is_last};
}

/// Figures for p ranks and m elements on the nodes of `params`: the maximum over ranks.
inline Theorem over_nodes_theorem(bool exclusive, int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count();
  const auto pattern_in = [&](int c) { return exscan::adaptive::pattern(c, m, params); };
  const auto rounds_in = [&](int c) { return exclusive ? pattern_in(c).length : ceil_log2(c); };
  std::vector<int> done;
  for (int i = 0; i < N; ++i) done.push_back(rounds_in(nodes.size(i)));
  const std::int64_t b = N > 1 ? blocks_between(N, m, params) : 0;
  if (N > 1) done = b > 0 ? rounds_along_chain(std::move(done), b) : rounds_by_doubling(std::move(done));

  Theorem stated;
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i);
    const BitPattern pattern = pattern_in(c);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + (i > 0 ? ceil_log2(c) : 0));
    for (int j = 0; j < c; ++j) {
      Tally all = within_node(exclusive, c, j, pattern);
      const auto add = [&all](Tally more) {
        all = {all.combined + more.combined, all.sent + more.sent, all.received + more.received};
      };
      if (j == c - 1 && exclusive && c > 1 && i + 1 < N) ++all.combined;  // T
      if (j == c - 1) add(between_nodes(exclusive, N, i, b));
      if (i > 0) add(after_nodes(exclusive, c, j, b));
      stated.applications = std::max(stated.applications, m * all.combined);
      stated.applications_last = m * all.combined;
      stated.sent = std::max(stated.sent, m * all.sent);
      stated.received = std::max(stated.received, m * all.received);
    }
  }
  return stated;
}

}  // namespace mpigraft::prefix
