// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "algorithms/bcast/along_tree.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/tree_node.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::bcast {

/// Ranks are relative to the root, 0. The left tree below it pipelines half 0 of the message, the right one half 1;
/// then the i-th ranks of both trees exchange halves. For even p the last rank of the left tree has no partner, and the
/// root sends it half 1. (Half 1 may be an element shorter, and one of its blocks empty.)
struct split_binary {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block message = operands.result;
    const int p = net.size(), r = (net.rank() - params.root + p) % p;
    if (p == 1) return;
    const Trees trees(p);
    const std::array<Blocks, 2> cut = halves(p, message.count, params);
    const std::array<Block, 2> half{message.part(0, cut[0].m), message.part(cut[0].m, cut[1].m)};
    const auto rank = [&](int relative) { return relative == none ? none : (relative + params.root) % p; };
    const int lone = p % 2 == 0 ? p / 2 : none;
    if (r == 0) {
      for (std::int64_t i = 0; i < cut[0].b; ++i) {
        net.send(cut[0].of(half[0], i), rank(trees.left.root()));
        if (p > 2) net.send(cut[1].of(half[1], i), rank(trees.right.root()));
      }
      if (lone != none) net.send(half[1], rank(lone));
      return;
    }
    const int mine = r > p / 2;
    const TreeNode node = (mine == 0 ? trees.left : trees.right).node(r);
    const auto own = static_cast<std::size_t>(mine);
    run_along_tree(net, half[own], cut[own], {rank(node.parent), rank(node.left), rank(node.right)});
    const int partner = r == lone ? 0 : mine == 0 ? r + p / 2 : r - p / 2;
    net.sendrecv(half[own], r == lone ? none : rank(partner), half[1 - own], rank(partner));
  }

  /// The root serves its children in turn. A rank with two children sends its half three times.
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const auto [half_0, half_1] = halves(p, m, params);
    const Pipeline rounds = rounds_of(p);
    const std::int64_t by_root = m + (p == 4 ? half_1.m : 0), below = (p >= 6 ? 3 : p == 5 ? 2 : 0) * half_0.m;
    return {.rounds = static_cast<int>(rounds.c0 + rounds.c1 * static_cast<double>(half_0.b - 1)),
            .sent = std::max(by_root, below),
            .received = m};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,
      .paper = "Pjesivac-Grbovic et al. 2007; Open MPI, split_binary_tree",
      .summary = "b blocks of each half of the message down one of two trees, then partners exchange halves, any root",
      .rounds = "<= 2q+2(b-1)",
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  struct Trees {
    constexpr explicit Trees(int p) : left{1, p / 2, 0}, right{1 + p / 2, (p - 1) / 2, 0} {}
    Subtree left, right;
  };

  static constexpr Pipeline rounds_of(int p) {
    if (p == 2) return {2, 1};
    const int way = std::max(1 + in_order_tree::way_down(p / 2), 2 + in_order_tree::way_down((p - 1) / 2));
    return {way + 1.0, 2};
  }
  static std::array<Blocks, 2> halves(int p, std::int64_t m, const Params& params) {
    const std::int64_t b = block_count(m - m / 2, params, rounds_of(p), false);
    return {Blocks{m - m / 2, b}, Blocks{m / 2, b}};
  }
};

}  // namespace mpigraft::bcast
