// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "algorithms/patterns/pages.hpp"
#include "algorithms/prefix/hierarchical.hpp"
#include "algorithms/prefix/lane.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/shared_slices.hpp"
#include "test/algorithms/costs/exscan.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::prefix::costs {

inline Cost along_chain(bool exclusive, int p, std::int64_t m, std::int64_t b) {
  if (p == 1) return {};
  return cost_in(p - 1 + b - 1, {p == 2 && exclusive ? 0 : m, m, m}, exclusive ? 0 : m);
}

inline Cost linear_pipeline(bool exclusive, int p, std::int64_t m, const Params& params) {
  return along_chain(exclusive, p, m, blocks_of_chain(p, m, params));
}

/// A rank publishes a block once it has read those before it, and rank 0 reads nothing: rank r publishes its first
/// r + 1 blocks one after the other, and then all that is left at once.
inline Cost shared_flat(bool exclusive, int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  return cost_in(std::min<std::int64_t>(in_pages(m, params).b, p - 1), Tally{p - 1 - exclusive, 1, p - 1} * m);
}

/// Elements of the rank that receives most where all exchange with all, and rank r combines of(r) of the m elements:
/// it `gives` its own unless it is the last of an exclusive scan, and `takes` results unless it is the first.
template <class Of>
constexpr std::int64_t most_received(bool exclusive, int p, std::int64_t m, Of of) {
  const auto received = [&](int r) {
    const bool gives = r + exclusive < p, takes = r >= exclusive;
    return (p - exclusive - gives) * of(r) + (takes ? m - of(r) : 0);
  };
  return std::max({received(0), received(1), received(p - 1)});
}

inline Cost shared_slices(bool exclusive, int p, std::int64_t m, const Params& params) {
  if (!fits_in_slices(p, m, params)) return shared_flat(exclusive, p, m, params);
  const Blocks cut = in_pages(m, params, p);
  const auto slices_of = [&](int r) { return slices::elements(cut, p, r); };
  const int joins = p - 1 - exclusive;
  return cost_in(exclusive && p == 2 ? 1 : 2 * cut.b,
                 {joins * slices_of(0), m + (p - 1) * slices_of(0), most_received(exclusive, p, m, slices_of)},
                 joins * slices_of(p - 1));
}

/// Every owner receives from p-1 ranks, then sends to p-1; all give but the last rank of an exclusive scan, and all
/// take but its first.
inline Cost transpose(bool exclusive, int p, std::int64_t m, const Params&) {
  if (m < p) return along_chain(exclusive, p, m, 1);
  if (p == 1) return {};
  const Blocks pieces{m, p};
  const int joins = p - 1 - exclusive;
  const std::int64_t received = most_received(exclusive, p, m, [&](int r) { return pieces.count(r); });
  return cost_in(2 * (p - 1), {joins * pieces.count(0), m + (p - 2) * pieces.count(0), received},
                 joins * pieces.count(p - 1));
}

// On nodes, whose ranks do not start together.

/// Times at which nodes end the doubling that begin it at `done`.
inline Times after_doubling(Times done) {
  const int N = static_cast<int>(done.size());
  std::int64_t s = 0;
  const BitPattern pattern = pattern_1(N);
  for (int k = 0; k < pattern.length; ++k) {
    const bool inclusive = pattern.inclusive(k);
    const std::int64_t d = inclusive ? s + 1 : s;
    done = after_round(done, [=](int i) { return i + d < N && (inclusive || i > 0) ? i + static_cast<int>(d) : none; });
    s = inclusive ? 2 * s + 1 : 2 * s;
  }
  return done;
}

/// Times at which nodes end the scan between them: along the chain in b blocks, or by doubling if b is 0.
inline Times after_scan(Times done, std::int64_t b) {
  return b > 0 ? after_chain(std::move(done), b) : after_doubling(std::move(done));
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
inline Tally from_before(bool exclusive, int c, int j, std::int64_t b) {
  const bool is_last = j == c - 1;
  return {exclusive ? j > 0 : !is_last || b == 0, children_in_binomial_tree(j, c, c - 1), !is_last};
}

inline Cost hierarchical(bool exclusive, int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count();
  const auto pattern_in = [&](int c) { return pattern_adaptive(c, m, params); };
  const auto rounds_in = [&](int c) { return exclusive ? pattern_in(c).length : ceil_log2(c); };
  const std::int64_t b = N > 1 ? blocks_between(N, m, params) : 0;
  Times done = after_nodes(nodes, rounds_in);
  if (N > 1) done = after_scan(std::move(done), b);
  const int first = done[0];
  done = after_nodes(nodes, std::move(done), ceil_log2);
  done[0] = first;  // nothing comes to its ranks
  return over_nodes(nodes, done, [&](int i) {
    return [=, c = nodes.size(i), pattern = pattern_in(nodes.size(i))](int j) {
      Tally all = within_node(exclusive, c, j, pattern);
      if (j == c - 1 && exclusive && c > 1 && i + 1 < N) ++all.combined;  // T
      if (j == c - 1) all = all + between_nodes(exclusive, N, i, b);
      if (i > 0) all = all + from_before(exclusive, c, j, b);
      return all * m;
    };
  });
}

inline Cost lane(bool exclusive, int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  const int N = nodes.count(), c = nodes.size(0);
  if (m < c) return hierarchical(exclusive, p, m, params);
  const std::int64_t b = blocks_in_lanes(nodes, m, params);
  Times done(static_cast<std::size_t>(N), c - 1);
  if (N > 1) done = after_scan(std::move(done), b);
  return over_ranks(std::ranges::max(done) + c - 1, p, [&](int r) {
    const int i = r / c, j = r % c;
    const std::int64_t mine = Blocks{m, c}.count(j);
    const Tally lane = N > 1 ? between_nodes(exclusive, N, i, b) : Tally{};
    const bool takes = !exclusive || r > 0, all_take = !exclusive || i > 0;
    const int sums = c - 1 - (exclusive && i + 1 == N && c > 1);
    const int joins = i == 0 ? 0 : c - (exclusive || b > 0 ? 1 : 0);
    const int takers = c - !all_take - takes;
    return Tally{mine * (sums + lane.combined + joins), m - mine + mine * (lane.sent + takers),
                 mine * (c - 1 + lane.received) + (takes ? m - mine : 0)};
  });
}

}  // namespace mpigraft::prefix::costs
