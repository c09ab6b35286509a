// SPDX-License-Identifier: MIT
// The doubly pipelined scans on trees that mind the nodes, and their figures for nodes of any sizes.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/node_tree.hpp"
#include "algorithms/scan/on_tree_doubly.hpp"

namespace mpigraft::scan {

/// Rounds of b blocks, slot by slot. A rank sends in a slot when its last send is over and all has come that it had to
/// wait for in the slots before; it is ready for its next receive since the last one has come, a single block's is
/// announced in its own slot.
inline int rounds_on_tree(const std::vector<in_order_tree::Place>& places, int height, std::int64_t b) {
  struct Rank {
    int now = 0, sent = 0, ready = 0;
  };
  struct Transfer {
    int from, to, over;
  };
  std::vector<tree_slots::Edge> edges;
  for (const auto& v : places) edges.push_back(tree_slots::slots(v, height).parent);
  std::vector<Rank> ranks(places.size());
  const auto at = [&](int r) -> Rank& { return ranks[static_cast<std::size_t>(r)]; };
  std::vector<Transfer> transfers;
  int last = 0;
  for (std::int64_t slot = 1; slot <= 3 * (b - 1) + 4 * height - 2; ++slot) {
    transfers.clear();
    for (std::size_t r = 0; r < places.size(); ++r) {
      const auto [up, down] = edges[r].at(slot, b);
      if (up != none) transfers.push_back({static_cast<int>(r), places[r].parent, 0});
      if (down != none) transfers.push_back({places[r].parent, static_cast<int>(r), 0});
    }
    for (const Transfer& t : transfers) at(t.from).now = std::max(at(t.from).now, at(t.from).sent);
    for (Transfer& t : transfers) t.over = 1 + std::max(at(t.from).now, b > 1 ? at(t.to).ready : at(t.to).now);
    for (const Transfer& t : transfers) {
      at(t.from).sent = t.over;
      at(t.to).ready = at(t.to).now = std::max(at(t.to).now, t.over);
      last = std::max(last, t.over);
    }
  }
  return last;
}

/// Messages and applications of one block at a place.
struct PlaceTally {
  int sent, received, combined;
};
constexpr PlaceTally tally_of(bool exclusive, const in_order_tree::Place& v) {
  const bool left = v.left != none, right = v.right != none, up = v.sends_up(), prefix = v.has_prefix();
  const int total = !up ? 0 : exclusive ? right + left : right;
  const int results = exclusive ? (prefix && left) + (right && (left || prefix)) : left + prefix;
  return {up + (left && prefix) + right, left + (right && up) + prefix, total + results};
}

template <class Tree, bool exclusive>
struct OnNodeTree {
  static std::int64_t blocks(const Nodes& nodes, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * Tree::height(nodes) - 2, 3}, true);
  }
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Nodes nodes(net.size(), params);
    DoublyPipelined<exclusive, T>(net, V, W, {V.count, blocks(nodes, V.count, params)}, Tree::place(net.rank(), nodes),
                                  Tree::height(nodes))
        .run();
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const Nodes nodes(p, params);
    std::vector<in_order_tree::Place> places;
    Theorem stated;
    PlaceTally most{};
    for (int r = 0; r < p; ++r) {
      places.push_back(Tree::place(r, nodes));
      const PlaceTally each = tally_of(exclusive, places.back());
      most = {std::max(most.sent, each.sent), std::max(most.received, each.received),
              std::max(most.combined, each.combined)};
      stated.applications_last = m * each.combined;
    }
    stated.applications = m * most.combined;
    stated.sent = m * most.sent;
    stated.received = m * most.received;
    const int height = Tree::height(nodes);
    const std::int64_t b = blocks(nodes, m, params), b0 = std::min<std::int64_t>(b, 2 * height + 2);
    stated.rounds =
        rounds_on_tree(places, height, b0) + static_cast<int>((b - b0) * std::max(most.sent, most.received));
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks cut{m, blocks(Nodes(p, params), m, params)};
    return pool_size(cut) * cut.count(0);
  }
};

}  // namespace mpigraft::scan
