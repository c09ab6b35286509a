// SPDX-License-Identifier: MIT
// Costs of the reduction between nodes, whose ranks do not start together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// Number of ranks from which rank i receives, where the chains 0, ..., x-1 and N-1, ..., x+1 end in x.
constexpr int senders(int i, int x, int N) { return (i <= x && i > 0) + (i >= x && i + 1 < N); }

/// Number of values that come to rank i: along chains in b blocks, or along a binomial tree if b is 0.
constexpr int senders_between(int i, int x, int N, std::int64_t b) {
  return b > 0 ? senders(i, x, N) : binomial_tree::children(i, N, x);
}

/// Time at which x has the result of a binomial reduction that rank i begins at done[i].
inline int rounds_by_tree(std::vector<int> done, int x) {
  using namespace binomial_tree;
  const int N = static_cast<int>(done.size());
  for (int k = 0; k < ceil_log2(N); ++k)
    for (int i = 0; i < N; ++i) {
      const int other = head(i, k, x) == i && head(i, k + 1, x) == i ? sibling(i, k, N, x) : none;
      if (other == none) continue;
      int& own = done[static_cast<std::size_t>(i)];
      own = 1 + std::max(own, done[static_cast<std::size_t>(other)]);
    }
  return done[static_cast<std::size_t>(x)];
}
/// The same along chains. A rank passes block 0 on when it has come and the rank is done in its node, and the others
/// round by round. A root that ends both chains takes two rounds a block.
inline int rounds_along_chains(const std::vector<int>& done, int x, std::int64_t b) {
  const int N = static_cast<int>(done.size()), n = senders(x, x, N), blocks = static_cast<int>(b);
  const auto at = [&](int i) { return done[static_cast<std::size_t>(i)]; };
  int lower = 0, upper = 0;  // when the root's neighbours have block 0
  for (int i = 0; i < x; ++i) lower = i == 0 ? at(0) : 1 + std::max(lower, at(i));
  for (int i = N - 1; i > x; --i) upper = i == N - 1 ? at(i) : 1 + std::max(upper, at(i));
  return std::max({at(x), upper, x > 0 ? lower - (n - 1) : 0}) + n * blocks;
}

/// Time at which x has the result, where rank i starts at done[i].
inline int rounds_between(const std::vector<int>& done, int x, std::int64_t b) {
  return b > 0 ? rounds_along_chains(done, x, b) : rounds_by_tree(done, x);
}

}  // namespace mpigraft::reduce
