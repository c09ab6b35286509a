// SPDX-License-Identifier: MIT
// What the two-level scans do between nodes, and their figures for nodes of any sizes.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft::scan {

/// Blocks of the chain of N last ranks; 0: doubling, which sends each total ceil(log2(N-1)) + 1 times, but all in as
/// many rounds. A rule's segment asks for the chain, otherwise the cheaper one in the linear model runs.
inline std::int64_t blocks_between(int N, std::int64_t m, const Params& params) {
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, true), bytes = m * params.element_bytes;
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double each = static_cast<double>(bytes) / static_cast<double>(b);
  const double chain =
      static_cast<double>(N - 2 + b) * (machine.latency + each * (machine.per_byte + machine.combine_per_byte));
  return chain < cost(pattern_1(N), bytes, machine) ? b : 0;
}

/// When the last ranks are done, and how many blocks b of the chain there were (0: doubling).
struct Between {
  std::vector<int> done;
  std::int64_t b;
};

/// One rank talks to two others in a round and goes on when both have answered.
inline std::vector<int> rounds_by_doubling(std::vector<int> done) {
  const int N = static_cast<int>(done.size());
  std::int64_t s = 0;
  const BitPattern pattern = pattern_1(N);
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    const std::int64_t d = inclusive ? s + 1 : s;
    std::vector<int> next = done;
    for (std::size_t i = inclusive ? 0 : 1; i + static_cast<std::size_t>(d) < done.size(); ++i) {
      const std::size_t to = i + static_cast<std::size_t>(d);
      const int over = 1 + std::max(done[i], done[to]);
      next[i] = std::max(next[i], over);
      next[to] = std::max(next[to], over);
    }
    done.swap(next);
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return done;
}

/// The first block comes when it has come to the node before, and both are ready; the others follow round by round.
inline std::vector<int> rounds_along_chain(std::vector<int> done, std::int64_t b) {
  const std::size_t N = done.size();
  std::vector<int> first(N, 0);
  for (std::size_t i = 1; i < N; ++i) first[i] = 1 + std::max({first[i - 1], done[i - 1], done[i]});
  for (std::size_t i = 0; i < N; ++i) done[i] = first[std::min(i + 1, N - 1)] + static_cast<int>(b) - 1;
  return done;
}

/// What one rank does, in messages or vectors.
struct Tally {
  int combined = 0, sent = 0, received = 0;
};

/// Rank j of a node of c ranks, before the nodes talk to each other.
inline Tally within_node(bool exclusive, int c, int j, BitPattern pattern) {
  if (exclusive)
    return {exscan::applications(pattern, c, j), exscan::sends(pattern, c, j), exscan::receives(pattern, j)};
  const int from = std::bit_width(static_cast<unsigned>(j)), to = std::bit_width(static_cast<unsigned>(c - 1 - j));
  return {from, to, from};
}

/// The last rank of node i of N.
inline Tally between_nodes(bool exclusive, int N, int i, std::int64_t b) {
  const BitPattern pattern = pattern_1(N);
  if (b == 0) return {exscan::applications(pattern, N, i), exscan::sends(pattern, N, i), exscan::receives(pattern, i)};
  return {i > 0 && (i + 1 < N || !exclusive), i + 1 < N, i > 0};
}

/// Rank j of node i > 0, of c ranks: P comes and goes on, and is joined unless the chain has done it.
inline Tally after_nodes(bool exclusive, int c, int j, std::int64_t b) {
  const bool is_last = j == c - 1;
  return {exclusive ? j > 0 : !is_last || b == 0, binomial_tree::children(j, c, c - 1), !is_last};
}

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

}  // namespace mpigraft::scan
