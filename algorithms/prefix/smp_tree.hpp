// SPDX-License-Identifier: MIT
// The doubly pipelined scans on trees that follow the nodes.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/patterns/node_tree.hpp"
#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"
#include "algorithms/prefix/smp_tree_figures.hpp"

namespace mpigraft::prefix {

template <class A, class Tree, bool exclusive>
struct OnNodeTree {
  static std::int64_t blocks(const Nodes& nodes, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * Tree::height(nodes) - 2, 3}, true);
  }
  static void text(Program& net) {
    const Nodes nodes(net.size(), net.params());
    doubly_pipelined<exclusive>(net, blocks(nodes, net.length(), net.params()), Tree::place(net.rank(), nodes),
                                Tree::height(nodes));
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
};

}  // namespace mpigraft::prefix
