// SPDX-License-Identifier: MIT
// Pipelined reductions along in-order trees, or along chains, which are such trees too: rank order is kept.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::reduce {

/// Block by block makes own value (+) right child's, then left child's (+) that, and sends the sum to the parent while
/// the next block is joined. The root states its result.
inline void along_tree(Program& net, const Blocks& cut, const in_order_tree::Place& node) {
  net.overlap(Overlap::all);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    Value sum = net.input(cut, i);
    if (node.right != none) sum = net.combine(sum, net.recv(node.right, cut.count(i)));
    if (node.left != none) sum = net.combine(net.recv(node.left, cut.count(i)), sum);
    net.send(sum, node.parent);
    if (node.parent == none) net.result(sum, cut.first(i));
  }
}

/// Up a tree to the root, of which `node` is this rank's place. It takes `rounds`, where c1 is the largest number of
/// children.
inline void up_tree(Program& net, const in_order_tree::Place& node, Pipeline rounds) {
  along_tree(net, {net.length(), block_count(net.length(), net.params(), rounds, true)}, node);
}

}  // namespace mpigraft::reduce
