// SPDX-License-Identifier: MIT
// Pipelined broadcasts along a tree, or along a chain, which is a tree too.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::bcast {

/// Elements of the message at the root.
inline auto input_of(Program& net) {
  return [&net](std::int64_t first, std::int64_t count) { return net.input(first, count); };
}

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

/// States that these are the blocks of the result.
inline void give(Program& net, const Blocks& cut, const List<Value>& blocks) {
  for (std::int64_t i = 0; i < cut.b; ++i) net.result(blocks[static_cast<std::size_t>(i)], cut.first(i));
}

/// From the root down a tree, of which `node` is this rank's place. It takes `rounds`, where c1 is the largest number
/// of children.
inline void down_tree(Program& net, const in_order_tree::Place& node, Pipeline rounds) {
  const Blocks cut{net.length(), block_count(net.length(), net.params(), rounds, false)};
  give(net, cut, along_tree(net, cut, node, input_of(net)));
}

}  // namespace mpigraft::bcast
