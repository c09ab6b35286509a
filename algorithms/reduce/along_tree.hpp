// SPDX-License-Identifier: MIT
// Pipelined reductions along in-order trees, or along chains, which are such trees too: rank order is kept.
#pragma once

#include <algorithm>
#include <array>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/tree_node.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// The blocks of the children's values, of the right child first. A receive is always under way: block j+1 comes while
/// block j is joined and block j-1, whose buffer may hold the joined value, is sent.
template <AsyncTransport T>
class Arrivals {
 public:
  static constexpr int in_flight = 3;

  Arrivals(T& net, const Blocks& blocks, TreeNode node) : net_(net), blocks_(blocks), node_(node) {
    const int buffers = in_flight * node.children();
    for (int k = 0; k < buffers; ++k) buffers_[static_cast<std::size_t>(k)] = net.scratch(blocks.count(0));
    if (buffers > 0) request_ = net.irecv(buffer(), peer());
  }
  Block next() {
    const Block arrived = buffer();
    net_.wait(request_);
    if (++j_ < blocks_.b * node_.children()) request_ = net_.irecv(buffer(), peer());
    return arrived;
  }

 private:
  int peer() const { return node_.right == none || (node_.left != none && j_ % 2 == 1) ? node_.left : node_.right; }
  Block buffer() const {
    const auto slot = static_cast<std::size_t>(j_ % (in_flight * node_.children()));
    return buffers_[slot].part(0, blocks_.count(j_ / node_.children()));
  }

  T& net_;
  const Blocks blocks_;
  const TreeNode node_;
  std::array<Block, 2 * in_flight> buffers_{};
  typename T::Request request_{};
  std::int64_t j_ = 0;  // receives that are over
};

/// Block by block: own value (+) right child's, then left child's (+) that, sent to the parent while the next is
/// joined.
template <AsyncTransport T>
void run_along_tree(T& net, Block V, Block W, const Blocks& blocks, TreeNode node) {
  const bool at_root = node.parent == none, only_left = node.left != none && node.right == none;
  Arrivals<T> arrivals(net, blocks, node);
  std::array<Block, 2> spare{};
  for (Block& block : spare)
    if (only_left && !at_root) block = net.scratch(blocks.count(0));
  typename T::Request departure{};
  for (std::int64_t i = 0; i < blocks.b; ++i) {
    Block value = blocks.of(V, i);
    if (node.right != none) {
      const Block right = arrivals.next();
      net.combine(value, right);
      value = right;
    }
    if (node.left != none) {
      const Block left = arrivals.next(),
                  out = only_left ? spare[static_cast<std::size_t>(i % 2)].part(0, value.count) : value;
      const Block joined = at_root ? blocks.of(W, i) : out;
      net.combine(left, value, joined);
      value = joined;
    }
    if (at_root) {
      if (node.left == none) net.copy(value, blocks.of(W, i));
      continue;
    }
    if (i > 0) net.wait(departure);
    departure = net.isend(value, node.parent);
  }
  if (!at_root) net.wait(departure);
}

/// Along `Tree::node(r, p, root)`, which takes `Tree::rounds(p, root)`: c1 is the largest number of children.
template <class Tree>
struct AlongTree {
  template <AsyncTransport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    const int p = net.size();
    run_along_tree(net, V, W, cut(p, V.count, params), Tree::node(net.rank(), p, params.root));
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Pipeline rounds = Tree::rounds(p, params.root);
    const std::int64_t b = cut(p, m, params).b, received = m * static_cast<int>(rounds.c1);
    return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(b - 1)),
            .applications = received,
            .applications_last = m * Tree::node(p - 1, p, params.root).children(),
            .sent = m,
            .received = received};
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return p == 1 ? 0 : 6 * cut(p, m, params).count(0);
  }

 private:
  static Blocks cut(int p, std::int64_t m, const Params& params) {
    return {m, block_count(m, params, p == 1 ? Pipeline{0, 1} : Tree::rounds(p, params.root), true)};
  }
};

}  // namespace mpigraft::reduce
