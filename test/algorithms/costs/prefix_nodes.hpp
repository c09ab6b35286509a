// SPDX-License-Identifier: MIT
// Costs of the scans over nodes, whose ranks do not start together.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/hierarchical.hpp"
#include "algorithms/prefix/lane.hpp"
#include "test/algorithms/costs/exscan.hpp"

namespace mpigraft::prefix::costs {

/// Times at which ranks end the doubling that begin it at `done`. A rank exchanges with up to two others in a round,
/// and goes on when both are over.
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

/// The same along the chain. The first block comes when it has come to the node before and both are ready; the others
/// follow round by round.
inline std::vector<int> rounds_along_chain(std::vector<int> done, std::int64_t b) {
  const std::size_t N = done.size();
  std::vector<int> first(N, 0);
  for (std::size_t i = 1; i < N; ++i) first[i] = 1 + std::max({first[i - 1], done[i - 1], done[i]});
  for (std::size_t i = 0; i < N; ++i) done[i] = first[std::min(i + 1, N - 1)] + static_cast<int>(b) - 1;
  return done;
}

/// Work of the last rank of node i of N in the scan between nodes.
inline Tally between_nodes(bool exclusive, int N, int i, std::int64_t b) {
  if (b == 0) return exscan::costs::tally(pattern_1(N), N, i);
  return {i > 0 && (i + 1 < N || !exclusive), i + 1 < N, i > 0};
}

/// Work of rank j of a node of c ranks in the scan within its node.
inline Tally within_node(bool exclusive, int c, int j, BitPattern pattern) {
  if (exclusive) return exscan::costs::tally(pattern, c, j);
  const int from = std::bit_width(static_cast<unsigned>(j)), to = std::bit_width(static_cast<unsigned>(c - 1 - j));
  return {from, to, from};
}

/// Work of rank j of node i > 0, of c ranks, after the scan between nodes: P comes and goes on, and is joined unless
/// the chain has done it.
inline Tally after_nodes(bool exclusive, int c, int j, std::int64_t b) {
  const bool is_last = j == c - 1;
  return {exclusive ? j > 0 : !is_last || b == 0, binomial_tree::children(j, c, c - 1), !is_last};
}

/// Cost for p ranks and m elements on the nodes of `params`: the maximum over ranks.
inline Cost over_nodes(bool exclusive, int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count();
  const auto pattern_in = [&](int c) { return exscan::adaptive::pattern(c, m, params); };
  const auto rounds_in = [&](int c) { return exclusive ? pattern_in(c).length : ceil_log2(c); };
  std::vector<int> done;
  for (int i = 0; i < N; ++i) done.push_back(rounds_in(nodes.size(i)));
  const std::int64_t b = N > 1 ? blocks_between(N, m, params) : 0;
  if (N > 1) done = b > 0 ? rounds_along_chain(std::move(done), b) : rounds_by_doubling(std::move(done));

  Cost stated;
  for (int i = 0; i < N; ++i) {
    const int c = nodes.size(i);
    const BitPattern pattern = pattern_in(c);
    stated.rounds = std::max(stated.rounds, done[static_cast<std::size_t>(i)] + (i > 0 ? ceil_log2(c) : 0));
    for (int j = 0; j < c; ++j) {
      Tally all = within_node(exclusive, c, j, pattern);
      if (j == c - 1 && exclusive && c > 1 && i + 1 < N) ++all.combined;  // T
      if (j == c - 1) all = all + between_nodes(exclusive, N, i, b);
      if (i > 0) all = all + after_nodes(exclusive, c, j, b);
      take_in(stated, all * m);
    }
  }
  return stated;
}

template <bool exclusive>
Cost hierarchical(int p, std::int64_t m, const Params& params) {
  return over_nodes(exclusive, p, m, params);
}

template <bool exclusive>
Cost lane(int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return over_nodes(exclusive, p, m, params);
  const std::int64_t b = blocks_in_lanes(nodes, m, params);
  std::vector<int> done(static_cast<std::size_t>(N), c - 1);
  if (N > 1) done = b > 0 ? rounds_along_chain(std::move(done), b) : rounds_by_doubling(std::move(done));
  Cost stated{.rounds = std::ranges::max(done) + c - 1};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < c; ++j) {
      const std::int64_t mine = Blocks{m, c}.count(j);
      const Tally lane = N > 1 ? between_nodes(exclusive, N, i, b) : Tally{};
      const bool takes = !exclusive || i + j > 0, all_take = !exclusive || i > 0;
      const int sums = c - 1 - (exclusive && i + 1 == N && c > 1);
      const int joins = i == 0 ? 0 : c - (exclusive || b > 0 ? 1 : 0);
      const int takers = c - !all_take - takes;
      take_in(stated, {mine * (sums + lane.combined + joins), m - mine + mine * (lane.sent + takers),
                       mine * (c - 1 + lane.received) + (takes ? m - mine : 0)});
    }
  return stated;
}

}  // namespace mpigraft::prefix::costs
