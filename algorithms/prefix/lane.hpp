// SPDX-License-Identifier: MIT
// Equal nodes of c ranks: between nodes, c lanes at once, each with a c-th of the vector.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/between_nodes.hpp"
#include "algorithms/prefix/between_nodes_figures.hpp"
#include "algorithms/prefix/hierarchical.hpp"

namespace mpigraft::prefix {

/// Rank j of a node owns piece j of its node's vectors. All to all in the node: it gets this piece of x_0, ...,
/// x_(c-1), and turns it into their scan S_0, ..., S_(c-1). The lane of all ranks j scans S_(c-1); P is the result of
/// the nodes before. Back: rank s gets P (+) S_s, in an exclusive scan P (+) S_(s-1).
template <bool exclusive, AsyncTransport T>
class Lane {
 public:
  Lane(T& net, Block V, Block W, const Nodes& nodes, std::int64_t b)
      : net_(net),
        V_(V),
        W_(W),
        i_(nodes.of(net.rank())),
        N_(nodes.count()),
        c_(nodes.size(0)),
        j_(net.rank() - nodes.first(i_)),
        b_(b),
        pieces_{V.count, c_},
        mine_(pieces_.count(j_)),
        all_(net.scratch(mine_, c_)),
        spare_(net.scratch(mine_)),
        P_(pieces_.of(W, j_)) {}

  void run() {
    const int first = net_.rank() - j_;
    Part node(net_, c_, j_, {}, [first](int j) { return first + j; });
    for (int k = 1; k < c_; ++k) {
      const int owner = (j_ + k) % c_, from = (j_ - k + c_) % c_;
      node.sendrecv(pieces_.of(V_, owner), owner, S(from), from);
    }
    net_.copy(pieces_.of(V_, j_), S(j_));
    for (int s = 1; s < sums(); ++s) net_.combine(S(s - 1), S(s));
    if (N_ > 1) between_nodes();
    for (int k = 1; k < c_; ++k) {
      const int owner = (j_ + k) % c_, to = (j_ - k + c_) % c_;
      node.sendrecv(result(to), takes(to) ? to : none, pieces_.of(W_, owner), takes(j_) ? owner : none);
    }
    if (takes(j_) && result(j_) != P_) net_.copy(result(j_), P_);
  }

 private:
  static constexpr int shift = exclusive ? 1 : 0;

  Block S(int s) const { return all_.part(s * mine_, mine_); }
  /// The prefix that rank s of the node takes; nobody needs P (+) S_(c-1) of an exclusive scan.
  Block result(int s) const { return s >= shift ? S(s - shift) : P_; }
  bool takes(int s) const { return s >= shift || i_ > 0; }
  int sums() const { return exclusive && i_ + 1 == N_ ? c_ - 1 : c_; }

  void between_nodes() {
    Part lane(net_, N_, i_, spare_, [this](int i) { return i * c_ + j_; });
    exscan_between<exclusive>(lane, S(c_ - 1), P_, S(c_ - 1), {mine_, b_});
    if (i_ == 0) return;
    const bool in_chain = !exclusive && b_ > 0;  // S_(c-1) is joined already
    for (int s = 0; s < c_ - (exclusive || in_chain ? 1 : 0); ++s) net_.combine(P_, S(s));
  }

  T& net_;
  const Block V_, W_;
  const int i_, N_, c_, j_;  // this rank is rank j of node i
  const std::int64_t b_;     // blocks in a lane
  const Blocks pieces_;
  const std::int64_t mine_;
  const Block all_, spare_, P_;
};

/// With fewer elements than a node has ranks, Hierarchical runs.
template <bool exclusive>
struct ByLanes {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Nodes nodes(net.size(), params);
    if (V.count < nodes.size(0)) return Hierarchical<exclusive>::run(net, operands, params);
    Lane<exclusive, T>(net, V, W, nodes, blocks(nodes, V.count, params)).run();
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Nodes nodes(p, params);
    const int N = nodes.count(), c = nodes.size(0);
    if (m < c) return Hierarchical<exclusive>::theorem(p, m, params);
    const std::int64_t b = blocks(nodes, m, params);
    std::vector<int> done(static_cast<std::size_t>(N), c - 1);
    if (N > 1) done = b > 0 ? rounds_along_chain(std::move(done), b) : rounds_by_doubling(std::move(done));
    Theorem stated{.rounds = std::ranges::max(done) + c - 1};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < c; ++j) {
        const std::int64_t mine = Blocks{m, c}.count(j);
        const Tally lane = N > 1 ? between_nodes(exclusive, N, i, b) : Tally{};
        const bool takes = !exclusive || i + j > 0, all_take = !exclusive || i > 0;
        const int sums = c - 1 - (exclusive && i + 1 == N && c > 1);
        const int joins = i == 0 ? 0 : c - (exclusive || b > 0 ? 1 : 0);
        const int takers = c - !all_take - takes;
        stated.applications_last = mine * (sums + lane.combined + joins);
        stated.applications = std::max(stated.applications, stated.applications_last);
        stated.sent = std::max(stated.sent, m - mine + mine * (lane.sent + takers));
        stated.received = std::max(stated.received, mine * (c - 1 + lane.received) + (takes ? m - mine : 0));
      }
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const int c = Nodes(p, params).size(0);
    return m < c ? Hierarchical<exclusive>::scratch(p, m, params) : (c + 1) * Blocks{m, c}.count(0);
  }

 private:
  /// Number of blocks of the chain, the same in all lanes.
  static std::int64_t blocks(const Nodes& nodes, std::int64_t m, const Params& params) {
    return nodes.count() > 1 ? blocks_between(nodes.count(), Blocks{m, nodes.size(0)}.count(0), params) : 0;
  }
};

}  // namespace mpigraft::prefix
