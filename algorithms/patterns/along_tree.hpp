// SPDX-License-Identifier: MIT
// Pipelined broadcasts and reductions along a tree, block after block. A node says what this rank's place is.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft {

/// Elements of the rank's input.
inline auto input_of(Program& net) {
  return [&net](std::int64_t first, std::int64_t count) { return net.input(first, count); };
}

/// States that these are the blocks of the result.
inline void give(Program& net, const Blocks& cut, const List<Value>& blocks) {
  for (std::int64_t i = 0; i < cut.b; ++i) net.result(blocks[static_cast<std::size_t>(i)], cut.first(i));
}

}  // namespace mpigraft

namespace mpigraft::bcast {

/// The root's message, block by block, at every rank. Block i goes to the children while block i+1 comes from the
/// parent.
template <class BlockOf>
List<Value> along_tree(const Group& net, const Blocks& cut, const in_order_tree::Place& node, BlockOf block_of_root) {
  List<Value> blocks;
  net.overlap(Overlap::all);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    blocks.push_back(node.parent == none ? block_of_root(cut.first(i), cut.count(i))
                                         : net.recv(node.parent, cut.count(i)));
    net.send(blocks.back(), node.left);
    net.send(blocks.back(), node.right);
  }
  net.overlap(Overlap::none);
  return blocks;
}

}  // namespace mpigraft::bcast

namespace mpigraft::reduce {

/// The sums of this rank's subtree, block by block: makes own value (+) right child's, then left child's (+) that, and
/// sends the sum to the parent while the next block is joined.
template <class BlockOf>
List<Value> along_tree(const Group& net, const Blocks& cut, const in_order_tree::Place& node, BlockOf own_block) {
  List<Value> sums;
  net.overlap(Overlap::all);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    Value sum = own_block(cut.first(i), cut.count(i));
    if (node.right != none) sum = net.combine(sum, net.recv(node.right, cut.count(i)));
    if (node.left != none) sum = net.combine(net.recv(node.left, cut.count(i)), sum);
    net.send(sum, node.parent);
    sums.push_back(sum);
  }
  net.overlap(Overlap::none);
  return sums;
}

/// Up a Tree to the root; its `rounds` have the largest number of children as c1.
template <class Tree>
void up_tree(Program& net) {
  const int p = net.size(), root = net.params().root;
  const Blocks cut{net.length(), block_count(net.length(), net.params(), Tree::rounds(p, root), true)};
  const List<Value> sums = along_tree(net, cut, Tree::place(net.rank(), p, root), input_of(net));
  if (net.rank() == root) give(net, cut, sums);
}

/// Two chains that end in the root, from both ends.
struct Chain {
  static constexpr in_order_tree::Place place(int r, int p, int root) {
    const int lower = r > 0 ? r - 1 : none, upper = r + 1 < p ? r + 1 : none;
    return {.parent = r == root  ? none
                      : r < root ? upper
                                 : lower,
            .left = r <= root ? lower : none,
            .right = r >= root ? upper : none};
  }
  /// Of one chain.
  static constexpr Pipeline rounds(int p, int) { return {p - 1.0, 1}; }
};

}  // namespace mpigraft::reduce
