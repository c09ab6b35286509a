// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/two_chains.hpp"
#include "algorithms/reduce/along_tree.hpp"
#include "algorithms/reduce/along_two_trees.hpp"

namespace mpigraft::reduce {

/// The chain towards the first or the last rank, from the other end.
struct Chain {
  static constexpr in_order_tree::Place place(int r, int p, int root) {
    const int lower = r > 0 ? r - 1 : none, upper = r + 1 < p ? r + 1 : none;
    if (root == 0) return {lower, none, upper};
    return {upper, lower, none};
  }
  static constexpr Pipeline rounds(int p, int) { return {p - 1.0, 1}; }
};

/// One chain if the root is at an end. Towards any other root two chains, each for one half of the vector, in which the
/// root sends its operand away. Two chains that end in the root would bring it two vectors. (Sanders, Speck, Traeff
/// 2009, footnote 11, take that for a lower bound.)
///
/// Example: p = 8, m = 3, blocks of 1, root 0. 6-7[0]>5 is element 0 of x_6 (+) x_7, sent to rank 5.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1                                                                        7[0]>6
///       2                                                              6-7[0]>5  7[1]>6
///       3                                                    5-7[0]>4  6-7[1]>5  7[2]>6
///       4                                          4-7[0]>3  5-7[1]>4  6-7[2]>5
///       5                                3-7[0]>2  4-7[1]>3  5-7[2]>4
///       6                      2-7[0]>1  3-7[1]>2  4-7[2]>3
///       7            1-7[0]>0  2-7[1]>1  3-7[2]>2
///       8            1-7[1]>0  2-7[2]>1
///       9            1-7[2]>0
struct linear_pipeline {
  static void text(Program& net) {
    using namespace two_trees;
    const int p = net.size(), root = net.params().root;
    if (!is_between(root, p)) return up_tree(net, Chain::place(net.rank(), p, root), Chain::rounds(p, root));
    along_two_trees(net, root, TwoChains(p, root).plan(net.rank()), halves(p, net.length(), net.params()));
  }

  static constexpr AlgorithmInfo info{
      .paper = "Sanders, Speck, Traeff 2009, section 1; any root in rank order: own",
      .summary = "b blocks along one chain, or along two towards roots between others, rank order kept for every root",
      .rounds = "p+b-2; at most p+2k for k blocks per half towards roots between others",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
  };

  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {p + 2.0, 2}, true);
  }
};

}  // namespace mpigraft::reduce
