// SPDX-License-Identifier: MIT
// The doubly pipelined scans on trees that follow the nodes.
#pragma once

#include "algorithms/patterns/node_tree.hpp"
#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"

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
};

}  // namespace mpigraft::prefix
