// SPDX-License-Identifier: MIT
// Figures of the exclusive scan between nodes, whose ranks do not start together.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/exscan/by_pattern.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/patterns/blocks.hpp"

namespace mpigraft::prefix {

/// Number of blocks of a chain of N last ranks, or 0 for doubling, where a rank sends whole totals in up to
/// ceil(log2(N-1)) + 1 rounds. A segment that cuts the vector selects the chain; otherwise the cheaper of both in the
/// linear model is selected.
inline std::int64_t blocks_between(int N, std::int64_t m, const Params& params) {
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, true), bytes = m * params.element_bytes;
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double each = static_cast<double>(bytes) / static_cast<double>(b);
  const double chain =
      static_cast<double>(N - 2 + b) * (machine.latency + each * (machine.per_byte + machine.combine_per_byte));
  return chain < cost(pattern_1(N), bytes, machine) ? b : 0;
}

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

/// One rank's work: combined, sent and received vectors.
struct Tally {
  int combined = 0, sent = 0, received = 0;
};

/// Work of the last rank of node i of N in the scan between nodes.
inline Tally between_nodes(bool exclusive, int N, int i, std::int64_t b) {
  const BitPattern pattern = pattern_1(N);
  if (b == 0) return {exscan::applications(pattern, N, i), exscan::sends(pattern, N, i), exscan::receives(pattern, i)};
  return {i > 0 && (i + 1 < N || !exclusive), i + 1 < N, i > 0};
}

}  // namespace mpigraft::prefix
