// SPDX-License-Identifier: MIT
// Circulant graphs and the round-optimal n-block schedules on them (Traeff 2022, arXiv:2205.10072; 2023,
// arXiv:2312.11236). Ranks here are relative to the root. In round i, k = i mod q, every rank sends to r + s_k and
// receives from r - s_k, modulo p. Schedules repeat every q rounds, with all block numbers q higher; block numbers
// below 0 are not exchanged, and numbers above the last block mean the last block. On the graph, too: reduce-scatter
// (Traeff 2024, arXiv:2410.14234), for commutative operators.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "algorithms/program.hpp"

namespace mpigraft::circulant_graph {

inline constexpr int most_skips = 31;

/// The skips: s_q = p, s_k = ceil(s_(k+1) / 2) = ceil(p / 2^(q-k)), so s_0 = 1. The closed form is used because GCC
/// 12.2 at -O3 loses stores to an array filled by the recurrence; clang, -fno-tree-loop-vectorize and the sanitizers
/// find nothing wrong with that loop.
struct Graph {
  constexpr explicit Graph(int ranks) : p(ranks), q(ceil_log2(ranks)) {}
  constexpr int skip(int k) const { return ((p - 1) >> (q - k)) + 1; }
  constexpr int to(int r, int k) const { return static_cast<int>((std::int64_t{r} + skip(k)) % p); }
  constexpr int from(int r, int k) const { return r >= skip(k) ? r - skip(k) : r - skip(k) + p; }

  int p, q;
};

/// Rank r in the canonical spanning tree. r is a sum of skips, largest first, and `base` is the index of the last one
/// (q at the root, the empty sum). Its subtree, the sums that begin like r's and go on with smaller skips, is the ranks
/// [r, r + extent).
struct Canonical {
  int base, extent;
};
constexpr Canonical canonical(const Graph& graph, int r) {
  int x = r, extent = graph.p, k = graph.q;
  while (x > 0) {
    const int s = graph.skip(--k);
    extent = x < s ? std::min(extent, s) : extent - s;
    if (x >= s) x -= s;
  }
  return {k, extent};
}

/// Entry k is the number of the block in round k.
using Row = std::array<int, most_skips>;

/// The receive schedule R[0..q-1] of rank r. It contains b, the base of r, once, and all of -q..-1 but b - q. Entry k
/// is the base of a rank x with r - s_(k+1) <= x <= r - s_k, modulo p, found by a depth-first search over sums of
/// skips. No base is used twice.
constexpr Row receive_row(const Graph& graph, int r) {
  const int q = graph.q, b = canonical(graph, r).base;
  const std::int64_t top = std::int64_t{r} + graph.p;
  std::uint64_t unused = ((std::uint64_t{2} << q) - 1) & ~(std::uint64_t{1} << b);
  const auto next = [&](int e) { return static_cast<int>(std::bit_width(unused & ((std::uint64_t{1} << e) - 1))) - 1; };
  std::array<int, most_skips + 2> path{q};
  std::size_t depth = 1;
  std::int64_t x = graph.p, last = std::numeric_limits<std::int64_t>::max();
  Row R{};
  for (int e = q, k = 0; k < q;) {
    const std::int64_t low = top - graph.skip(k + 1), high = top - graph.skip(k);
    if (x < low || (x == low && next(e) >= 0)) {
      path[depth++] = e = next(e);
      x += graph.skip(e);
    } else if (x > high || x >= last) {  // entries come from ever lower ranks: without `last`, p = 33 goes wrong
      x -= graph.skip(path[--depth]);
    } else {
      e = path[--depth];
      R[static_cast<std::size_t>(k++)] = e == q ? b : e - q;
      unused &= ~(std::uint64_t{1} << e);
      last = x;
      x -= graph.skip(e);
    }
  }
  return R;
}

/// The send schedule of rank r: S[k] is R[k] of rank r + s_k. The loop goes down the skips. x is r's place in a range
/// of e ranks, which is split at s_k. In the lower part the block c to pass on stays that of the last split; in the
/// upper part it is k - q, which came over this split. If the partner is at the edge of the range, its receive schedule
/// is computed, which happens for a handful of entries.
constexpr Row send_row(const Graph& graph, int r) {
  const int q = graph.q, b = canonical(graph, r).base;
  Row S{};
  if (r == 0) {
    for (int k = 0; k < q; ++k) S[static_cast<std::size_t>(k)] = k;
    return S;
  }
  int x = r, e = graph.p, c = b;
  for (int k = q - 1; k > 0; --k) {
    const int s = graph.skip(k);
    bool inside;
    if (x < s) {
      inside = x + s < e || e < graph.skip(k - 1) || (k == 1 && b > 0);
      e = std::min(e, s);
    } else {
      e -= s;
      inside = x > s || x <= e || k == 1 || e < graph.skip(k - 1);
      c = k - q;
      x -= s;
    }
    const auto entry = static_cast<std::size_t>(k);
    S[entry] = inside ? c : receive_row(graph, graph.to(r, k))[entry];
  }
  S[0] = b - q;
  return S;
}

/// One side of a round. The peer is `none` if nothing is exchanged.
struct Part {
  int peer = none;
  std::int64_t block = 0;
};

/// Rank r's part in the rounds first()..last() of an n-block broadcast; a reduction walks them backwards with sides
/// swapped. Every rank but the root receives every block exactly once.
class Schedule {
 public:
  constexpr Schedule(int r, int p, std::int64_t n)
      : graph_(p),
        n_(n),
        r_(r),
        skipped_(p > 1 ? (graph_.q - (n - 1) % graph_.q) % graph_.q : 0),
        R_(receive_row(graph_, r_)),
        S_(send_row(graph_, r_)) {}

  constexpr std::int64_t first() const { return skipped_; }
  constexpr std::int64_t last() const { return graph_.p > 1 ? n_ - 2 + graph_.q + skipped_ : skipped_ - 1; }
  constexpr Part sends(std::int64_t i) const {
    const int k = static_cast<int>(i % graph_.q), peer = graph_.to(r_, k);
    return peer == 0 ? Part{} : part(S_, i, peer);
  }
  constexpr Part receives(std::int64_t i) const {
    const int k = static_cast<int>(i % graph_.q);
    return r_ == 0 ? Part{} : part(R_, i, graph_.from(r_, k));
  }

 private:
  constexpr Part part(const Row& row, std::int64_t i, int peer) const {
    const std::int64_t k = i % graph_.q, block = row[static_cast<std::size_t>(k)] + i - k - skipped_;
    if (block < 0) return {};
    return {peer, std::min(block, n_ - 1)};
  }

  Graph graph_;
  std::int64_t n_;
  int r_;
  std::int64_t skipped_;  // rounds of the first q in which nobody would send: the number of rounds is no multiple of q
  Row R_, S_;
};

/// Cuts m elements into the n blocks that suit n-1+q rounds.
inline Blocks cut(int p, std::int64_t m, const Params& params, bool combines) {
  return {m, block_count(m, params, {static_cast<double>(ceil_log2(p)), 1}, combines)};
}

/// Piece r of the sum of all ranks' V, for rank r relative to a root. Invariant: before the step with k, `sums` are
/// partial results of the s_k pieces from the own one on. The step sends the upper s_k - s_(k-1) of them.
inline Value reduce_scatter(const Group& net, Value V, const Graph& graph, const Pieces& pieces) {
  List<Value> sums{part(V, pieces.before(), pieces.after()), part(V, 0, pieces.before())};
  for (int k = graph.q; k >= 1; --k) {
    const int s = graph.skip(k - 1), kept = graph.skip(k) - s;
    const Value own = net.part_of(sums, 0, pieces.at(kept));
    const Value departing = net.part_of(sums, pieces.at(s), pieces.at(s + kept) - pieces.at(s));
    net.send(departing, graph.to(net.rank(), k - 1));
    const Value sum = net.combine(net.recv(graph.from(net.rank(), k - 1), own.count), own);
    const Value rest = net.part_of(sums, pieces.at(kept), pieces.at(s) - pieces.at(kept));
    sums = {sum, rest};
  }
  return sums[0];
}

}  // namespace mpigraft::circulant_graph
