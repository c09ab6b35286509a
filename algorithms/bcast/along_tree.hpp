// SPDX-License-Identifier: MIT
// Pipelined broadcasts along a tree, or along a chain, which is a tree too.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/tree_node.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::bcast {

/// Block i goes to the children while block i+1 comes from the parent.
template <AsyncTransport T>
void run_along_tree(T& net, Block message, const Blocks& blocks, TreeNode node) {
  Inbox in(net);
  Outbox out(net);
  const auto expect = [&](std::int64_t i) {
    if (node.parent != none && i < blocks.b) in.expect(blocks.of(message, i), node.parent);
  };
  expect(0);
  for (std::int64_t i = 0; i < blocks.b; ++i) {
    if (node.parent != none) in.take();
    expect(i + 1);
    for (const int child : {node.left, node.right})
      if (child != none) out.send(blocks.of(message, i), child);
  }
  out.finish();
}

/// Along `Tree::node(r, p, root)`, which takes `Tree::rounds(p, root)`: c1 is the largest number of children.
template <class Tree>
struct AlongTree {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    const int p = net.size();
    run_along_tree(net, message, cut(p, message.count, params), Tree::node(net.rank(), p, params.root));
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Pipeline rounds = Tree::rounds(p, params.root);
    const std::int64_t b = cut(p, m, params).b;
    return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(b - 1)),
            .sent = m * static_cast<int>(rounds.c1),
            .received = m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

 private:
  static Blocks cut(int p, std::int64_t m, const Params& params) {
    return {m, block_count(m, params, Tree::rounds(p, params.root), false)};
  }
};

}  // namespace mpigraft::bcast
