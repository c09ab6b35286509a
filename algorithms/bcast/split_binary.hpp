// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "algorithms/patterns/along_tree.hpp"

namespace mpigraft::bcast {

struct SplitTrees {
  constexpr explicit SplitTrees(int p) : left{1, p / 2, 0}, right{1 + p / 2, (p - 1) / 2, 0} {}
  in_order_tree::Subtree left, right;
};

constexpr Pipeline rounds_of_split(int p) {
  if (p == 2) return {2, 1};
  const int way = std::max(1 + in_order_tree::way_down(p / 2), 2 + in_order_tree::way_down((p - 1) / 2));
  return {way + 1.0, 2};
}

inline std::array<Blocks, 2> split_halves(int p, std::int64_t m, const Params& params) {
  const std::int64_t shorter = m / 2;
  const std::int64_t b = block_count(m - shorter, params, rounds_of_split(p), false);
  const std::int64_t most = std::max<std::int64_t>(1, shorter);  // no block of either is empty
  return {Blocks{m - shorter, std::min(b, most)}, Blocks{shorter, std::min(b, most)}};
}

/// Ranks are relative to the root, 0. The left tree below it pipelines half 0 of the message, the right one half 1,
/// which may be an element shorter; then the i-th ranks of both trees exchange halves. For even p the last rank of the
/// left tree has no partner, and the root sends it half 1.
///
/// Example: p = 8, m = 4, blocks of 1, root 0. [0-1]>5 is elements 0 and 1, sent to rank 5.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1  [0]>4
///       2  [2]>6                               [0]>2
///       3  [1]>4             [0]>1                               [2]>5
///       4  [3]>6             [0]>3             [1]>2             [2]>7
///       5  [2-3]>4           [1]>1                               [3]>5
///       6           [0-1]>5  [1]>3                      [2-3]>1  [3]>7
///       7                    [0-1]>6  [0-1]>7                    [2-3]>2  [2-3]>3
inline void split_binary(Program& net) {
  const Group ranks = net.from(net.params().root);
  const int p = ranks.size(), r = ranks.rank();
  const SplitTrees trees(p);
  const std::array<Blocks, 2> cut = split_halves(p, net.length(), net.params());
  const int lone = p % 2 == 0 ? p / 2 : none;
  if (r == 0) {
    for (std::int64_t i = 0; i < cut[0].b; ++i) {
      ranks.send(net.input(cut[0].first(i), cut[0].count(i)), trees.left.root());
      ranks.send(net.input(cut[0].m + cut[1].first(i), cut[1].count(i)), trees.right.root());
    }
    ranks.send(net.input(cut[0].m, cut[1].m), lone);
    return net.result(net.input());
  }
  const int mine = r > p / 2;
  const Blocks &own = cut[static_cast<std::size_t>(mine)], &other = cut[static_cast<std::size_t>(1 - mine)];
  const Value half = ranks.join(along_tree(ranks, own, (mine == 0 ? trees.left : trees.right).place(r), input_of(net)));
  const int partner = r == lone ? 0 : mine == 0 ? r + p / 2 : r - p / 2;
  if (r != lone) ranks.send(half, partner);
  net.result(half, mine == 0 ? 0 : cut[0].m);
  net.result(ranks.recv(partner, other.m), mine == 0 ? cut[0].m : 0);
}

inline constexpr AlgorithmInfo split_binary_info{
    .paper = "Pjesivac-Grbovic et al. 2007; Open MPI, split_binary_tree",
    .summary = "b blocks of each half of the message down one of two trees, then partners exchange halves, any root",
    .rounds = "<= 2q+2(b-1)",
    .pipelined = true,
};

}  // namespace mpigraft::bcast
