// SPDX-License-Identifier: MIT
// Pipelined reductions along in-order trees, or along chains, which are such trees too: rank order is kept.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/tree_node.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::reduce {

/// One rank. Block by block it makes own value (+) right child's, then left child's (+) that, and sends the sum to the
/// parent while the next block is joined. A block's steps are those of its receives; it leaves in the first step of the
/// next block.
template <AsyncTransport T>
class TreeReduce {
 public:
  /// Block `index` from or to a neighbour.
  struct Move {
    int peer = none;
    std::int64_t index = 0;
  };

  TreeReduce(T& net, Block V, Block W, const Blocks& cut, TreeNode node)
      : net_(net),
        V_(V),
        W_(W),
        cut_(cut),
        node_(node),
        children_(node.children()),
        pool_(net, out_, children_ > 0 ? pool_size(cut) : 0, cut.count(0)) {}

  void run() { run_steps(net_, out_, children_ > 0 ? cut_.b * children_ + 1 : cut_.b, *this, true); }

  Move in(std::int64_t s) const {
    if (s >= cut_.b * children_) return {};
    const bool from_right = node_.right != none && s % children_ == 0;
    return {from_right ? node_.right : node_.left, s / children_};
  }
  Move out(std::int64_t s) const {
    if (children_ == 0) return {node_.parent, s};
    return s > 0 && s % children_ == 0 ? Move{node_.parent, s / children_ - 1} : Move{};
  }
  Block room(const Move& in) { return pool_.take(cut_.count(in.index)); }
  Block departing(const Move& out) { return pool_.lend(children_ > 0 ? value_ : cut_.of(V_, out.index)); }

  void arrived(const Move& in, Block block) {
    const Block own = cut_.of(V_, in.index), result = cut_.of(W_, in.index);
    const bool at_root = node_.parent == none;
    if (in.peer == node_.right) {
      net_.combine(own, block);
      value_ = block;
      if (at_root && node_.left == none) keep(result);
      return;
    }
    const Block before = node_.right != none ? value_ : own;
    if (at_root)
      value_ = result;
    else if (node_.right == none)
      value_ = pool_.take(block.count);
    net_.combine(block, before, value_);
    pool_.give(block);
    if (at_root) pool_.give(before);
  }

 private:
  void keep(Block result) {
    net_.copy(value_, result);
    pool_.give(value_);
  }

  T& net_;
  const Block V_, W_;
  const Blocks cut_;
  const TreeNode node_;
  const int children_;
  Outbox<T> out_{net_};
  Pool<T> pool_;
  Block value_;  // sum of the block that is being joined, or leaves next
};

/// Along `Tree::node(r, p, root)`, which takes `Tree::rounds(p, root)`: c1 is the largest number of children.
template <class Tree>
struct AlongTree {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    if (p == 1) return net.copy(V, W);
    TreeReduce<T>(net, V, W, cut(p, V.count, params), Tree::node(net.rank(), p, params.root)).run();
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
    if (p == 1) return 0;
    const Blocks blocks = cut(p, m, params);
    return pool_size(blocks) * blocks.count(0);
  }

 private:
  static Blocks cut(int p, std::int64_t m, const Params& params) {
    return {m, block_count(m, params, Tree::rounds(p, params.root), true)};
  }
};

}  // namespace mpigraft::reduce
