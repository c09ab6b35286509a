// SPDX-License-Identifier: MIT
// Costs of the phases that several algorithms consist of.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/patterns/dissemination.hpp"
#include "algorithms/patterns/pages.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft {

/// Times at which ranks end an exchange that they begin at `times`. Each sends to the rank s after it, modulo their
/// number, and receives from the rank s before it.
inline std::vector<int> after_exchange(const std::vector<int>& times, int s) {
  std::vector<int> done = times;
  const std::size_t p = times.size();
  for (std::size_t r = 0; r < p; ++r) {
    const std::size_t to = (r + static_cast<std::size_t>(s)) % p;
    done[r] = std::max(done[r], times[to]);
    done[to] = std::max(done[to], times[r]);
  }
  for (int& time : done) ++time;
  return done;
}

}  // namespace mpigraft

namespace mpigraft::binomial_tree {

/// Number of siblings that the root exchanges with.
constexpr int siblings_of_root(int p, int root) {
  int n = 0;
  for (int k = 0; k < ceil_log2(p); ++k) n += sibling(root, k, p, root) != none;
  return n;
}

/// The largest number of children of any rank: the root's, or those of rank 0 where the root is far above.
constexpr int max_children(int p, int root) {
  return std::max<int>(siblings_of_root(p, root), root > 0 ? std::bit_width(static_cast<unsigned>(root)) - 1 : 0);
}

}  // namespace mpigraft::binomial_tree

namespace mpigraft::folded_butterfly {

/// Elements that virtual rank v combines in `reduce_scatter`; it receives as many.
constexpr std::int64_t combined(const Fold& fold, int v, std::int64_t m, int rounds) {
  std::int64_t elements = v < fold.pairs ? m : 0;
  for (int d = 0; d < rounds; ++d) elements += share(v, d + 1, m).count;
  return elements;
}

}  // namespace mpigraft::folded_butterfly

namespace mpigraft::circulant_graph {

/// Elements that a rank sends in a broadcast, and receives in a reduction.
constexpr std::int64_t sent(const Schedule& schedule, const Blocks& blocks) {
  std::int64_t elements = 0;
  for (std::int64_t i = schedule.first(); i <= schedule.last(); ++i)
    if (const Part out = schedule.sends(i); out.peer != none) elements += blocks.count(out.block);
  return elements;
}
/// The same for rank r, relative to the root.
constexpr std::int64_t sent(int r, int p, const Blocks& blocks) { return sent(Schedule(r, p, 0, blocks.b), blocks); }

/// The largest `sent`: the root's, which sends the last block q times, or that of a rank that passes longer blocks on.
constexpr std::int64_t most_sent(int p, const Blocks& blocks) {
  std::int64_t most = 0;
  for (int r = 0; r < p; ++r) most = std::max(most, sent(r, p, blocks));
  return most;
}

/// Elements that rank r combines in `reduce_scatter`; it receives as many.
constexpr std::int64_t combined(const Graph& graph, const Pieces& pieces) {
  std::int64_t elements = 0;
  for (int k = 1; k <= graph.q; ++k) elements += pieces.at(graph.skip(k) - graph.skip(k - 1));
  return elements;
}

/// Cost of the reduce-scatter and a phase of `further` rounds after it. `last` is rank p-1, relative to the root.
/// after(pieces, combined) gives the work of that phase for a rank that has combined `combined` elements.
template <class After>
Cost reduce_scatter_cost(const Graph& graph, const Parts& parts, int last, int further, After after) {
  Cost most{.rounds = graph.q + further};
  for (int r = 0; r < graph.p; ++r) {
    const Pieces pieces{parts, graph.p, r};
    const std::int64_t joined = combined(graph, pieces);
    take_in(most, Tally{joined, pieces.m() - pieces.at(1), joined} + after(pieces, joined));
  }
  most.applications_last = combined(graph, {parts, graph.p, last});
  return most;
}

}  // namespace mpigraft::circulant_graph

namespace mpigraft::dissemination {

/// Elements that rank r sends in `allgather`.
template <class Skips>
constexpr std::int64_t sent(int r, int p, const Parts& parts, const Skips& skips) {
  std::int64_t elements = 0;
  for (int k = 0; k < skips.q; ++k) elements += count(parts, p, r, r + skips.skip(k + 1) - skips.skip(k));
  return elements;
}

/// Cost of an algorithm that consists of `allgather` alone.
template <class Skips>
Cost allgather_cost(int p, std::int64_t m, const Parts& parts, const Skips& skips) {
  Cost stated{.rounds = skips.q, .received = m - parts.shortest(p)};
  for (int r = 0; r < p; ++r) stated.sent = std::max(stated.sent, sent(r, p, parts, skips));
  return stated;
}

}  // namespace mpigraft::dissemination

namespace mpigraft::slices {

class Slices {
 public:
  constexpr Slices(const Blocks& cut, int p) : cut_(cut), p_(p) {}

  constexpr std::int64_t m() const { return cut_.m; }
  /// Number of elements in rank r's slices of all blocks.
  constexpr std::int64_t of(int r) const {
    const std::int64_t longer = cut_.m % cut_.b;
    return longer * Blocks{cut_.count(0), p_}.count(r) + (cut_.b - longer) * Blocks{cut_.m / cut_.b, p_}.count(r);
  }

 private:
  const Blocks cut_;
  const int p_;
};

/// Cost of `reduce`. `gatherer` is the rank with the longest slices among those that gather; rank 0 has the longest
/// of all.
inline Cost cost(int p, std::int64_t m, const Params& params, int gatherer) {
  const Blocks cut = in_pages(m, params, p);
  const Slices all(cut, p);
  return {.rounds = static_cast<int>(2 * cut.b),
          .applications = (p - 1) * all.of(0),
          .applications_last = (p - 1) * all.of(p - 1),
          .sent = m + all.of(0),
          .received = std::max((p - 1) * all.of(0), m + (p - 2) * all.of(gatherer))};
}

}  // namespace mpigraft::slices
