// SPDX-License-Identifier: MIT
// Costs of the phases that several algorithms consist of.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/butterfly.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/patterns/dissemination.hpp"
#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/pages.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft {

/// Number of heads to which rank r passes a broadcast: it is the head of its block up to some level.
constexpr int children_in_binomial_tree(int r, int p, int root) {
  using namespace binomial_tree;
  int n = 0;
  for (int k = 0; k < ceil_log2(p) && head(r, k + 1, root) == r; ++k) n += sibling(r, k, p, root) != none;
  return n;
}
constexpr int children(const in_order_tree::Place& place) { return (place.left != none) + (place.right != none); }

/// Times of ranks, or of nodes.
using Times = std::vector<int>;

/// Times at which ranks end a round that they begin at `times`. Rank r sends to to(r), or nothing if that is `none`,
/// and the round is over for a rank when all that it sends and receives is.
template <class To>
Times after_round(const Times& times, To to) {
  Times done = times;
  for (std::size_t r = 0; r < times.size(); ++r) {
    const int receiver = to(static_cast<int>(r));
    if (receiver == none) continue;
    const auto other = static_cast<std::size_t>(receiver);
    const int over = 1 + std::max(times[r], times[other]);
    done[r] = std::max(done[r], over);
    done[other] = std::max(done[other], over);
  }
  return done;
}
/// The same if each sends to the rank s after it, modulo their number.
inline Times after_exchange(const Times& times, int s) {
  return after_round(times, [p = static_cast<int>(times.size()), s](int r) { return (r + s) % p; });
}

/// Times at which ranks end a binomial broadcast from the root, or if it is `up` a reduction to it.
inline Times after_tree(Times times, int root, bool up) {
  using namespace binomial_tree;
  const int p = static_cast<int>(times.size()), q = ceil_log2(p);
  for (int i = 0; i < q; ++i) {
    const int k = up ? i : q - 1 - i;
    times = after_round(times, [=](int r) { return head(r, k + 1, root) == r ? sibling(r, k, p, root) : none; });
  }
  return times;
}

/// Times at which ranks of a chain that begin at `done` end their last send. The first block comes when it has come
/// to the rank before and both are ready; the others follow round by round.
inline Times after_chain(Times done, std::int64_t b) {
  const std::size_t N = done.size();
  Times first(N, 0);
  for (std::size_t i = 1; i < N; ++i) first[i] = 1 + std::max({first[i - 1], done[i - 1], done[i]});
  for (std::size_t i = 0; i < N; ++i) done[i] = first[std::min(i + 1, N - 1)] + static_cast<int>(b) - 1;
  return done;
}

/// Times at which nodes are done that begin at `times`, where a node of c ranks takes rounds_of(c) rounds.
template <class RoundsOf>
Times after_nodes(const Nodes& nodes, Times times, RoundsOf rounds_of) {
  for (int i = 0; int& time : times) time += rounds_of(nodes.size(i++));
  return times;
}
/// The same if they begin at once.
template <class RoundsOf>
Times after_nodes(const Nodes& nodes, RoundsOf rounds_of) {
  return after_nodes(nodes, Times(static_cast<std::size_t>(nodes.count())), rounds_of);
}

/// The cost of an algorithm whose nodes are done at these times, and in which rank j of node i does of_node(i)(j).
template <class OfNode>
Cost over_nodes(const Nodes& nodes, const Times& done, OfNode of_node) {
  Cost most{.rounds = std::ranges::max(done)};
  for (int i = 0; i < nodes.count(); ++i) {
    const auto tally = of_node(i);
    for (int j = 0; j < nodes.size(i); ++j) take_in(most, tally(j));
  }
  return most;
}

}  // namespace mpigraft

namespace mpigraft::folded_butterfly {

/// Elements that virtual rank v combines in `reduce_scatter`; it receives as many.
constexpr std::int64_t combined(const Fold& fold, int v, std::int64_t m, int rounds) {
  std::int64_t elements = v < fold.pairs ? m : 0;
  for (int d = 0; d < rounds; ++d) elements += share(v, d + 1, m).count;
  return elements;
}

}  // namespace mpigraft::folded_butterfly

namespace mpigraft::circulant_graph {

/// Elements that rank r, relative to the root, sends in a broadcast, and receives in a reduction.
constexpr std::int64_t sent(int r, int p, const Blocks& blocks) {
  const Schedule schedule(r, p, blocks.b);
  std::int64_t elements = 0;
  for (std::int64_t i = schedule.first(); i <= schedule.last(); ++i)
    if (const Part out = schedule.sends(i); out.peer != none) elements += blocks.count(out.block);
  return elements;
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
  Cost most = over_ranks(graph.q + further, graph.p, [&](int r) {
    const Pieces pieces{parts, graph.p, r};
    const std::int64_t joined = combined(graph, pieces);
    return Tally{joined, pieces.m() - pieces.at(1), joined} + after(pieces, joined);
  });
  most.applications_last = combined(graph, {parts, graph.p, last});
  return most;
}

}  // namespace mpigraft::circulant_graph

namespace mpigraft::dissemination {

/// Elements that rank r sends in `allgather`.
template <class Skips>
constexpr std::int64_t sent(int r, int p, const Parts& parts, const Skips& skips) {
  std::int64_t elements = 0;
  for (int k = 0; k < skips.q; ++k) elements += Pieces{parts, p, r}.at(skips.skip(k + 1) - skips.skip(k));
  return elements;
}

/// Cost of an algorithm that consists of `allgather` alone.
template <class Skips>
Cost allgather_cost(int p, std::int64_t m, const Parts& parts, const Skips& skips) {
  return over_ranks(skips.q, p, [&](int r) { return Tally{0, sent(r, p, parts, skips), m - parts.count(r)}; });
}

}  // namespace mpigraft::dissemination

namespace mpigraft::slices {

/// Number of elements in rank r's slices of all blocks.
constexpr std::int64_t elements(const Blocks& cut, int p, int r) {
  const std::int64_t longer = cut.m % cut.b;
  return longer * Blocks{cut.count(0), p}.count(r) + (cut.b - longer) * Blocks{cut.m / cut.b, p}.count(r);
}

/// Cost of `reduce`. `gatherer` is the rank with the longest slices among those that gather; rank 0 has the longest
/// of all.
inline Cost cost(int p, std::int64_t m, const Params& params, int gatherer) {
  const Blocks cut = in_pages(m, params, p);
  const std::int64_t longest = elements(cut, p, 0);
  const std::int64_t received = std::max((p - 1) * longest, m + (p - 2) * elements(cut, p, gatherer));
  return cost_in(2 * cut.b, {(p - 1) * longest, m + longest, received}, (p - 1) * elements(cut, p, p - 1));
}

}  // namespace mpigraft::slices
