// SPDX-License-Identifier: MIT
// Pipelined reductions along in-order trees, or along chains, which are such trees too: rank order is kept.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/tree_node.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::reduce {

/// Block by block makes own value (+) right child's, then left child's (+) that, and sends the sum to the parent while
/// the next block is joined. The root states its result.
inline void along_tree(Program& net, const Blocks& cut, TreeNode node) {
  net.overlap(Overlap::all);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    Value sum = net.input(cut.first(i), cut.count(i));
    if (node.right != none) sum = net.combine(sum, net.recv(node.right, cut.count(i)));
    if (node.left != none) sum = net.combine(net.recv(node.left, cut.count(i)), sum);
    net.send(sum, node.parent);
    if (node.parent == none) net.result(sum, cut.first(i));
  }
}

/// Along `Tree::node(r, p, root)`, which takes `Tree::rounds(p, root)`: c1 is the largest number of children.
template <class A, class Tree>
struct AlongTree {
  static void text(Program& net) {
    const int p = net.size();
    along_tree(net, cut(p, net.length(), net.params()), Tree::node(net.rank(), p, net.params().root));
  }

  static Blocks cut(int p, std::int64_t m, const Params& params) {
    return {m, block_count(m, params, Tree::rounds(p, params.root), true)};
  }
};

}  // namespace mpigraft::reduce
