// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::bcast {

/// The root feeds T1 with half 0 and T2 with half 1, in alternate steps. A rank that receives a block in step t passes
/// it to its children in steps t+1 and t+2. The paper states 2q+2k-1 steps for k blocks per half, and in a footnote one
/// less, which is true for odd p; where 4 divides p-1 it is one less again. For even p one rank relays: one step more.
///
/// Example: p = 7, m = 4, blocks of 1, root 0. [2]>4 is element 2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1  [0]>4
///       2  [2]>3                           [0]>6
///       3  [1]>4                   [2]>1   [0]>2           [0]>5
///       4  [3]>3   [2]>2   [0]>1   [2]>5   [1]>6
///       5                  [0]>3   [3]>1   [1]>2   [2]>6   [1]>5
///       6          [3]>2   [1]>1   [3]>5           [2]>4
///       7                  [1]>3                   [3]>6
///       8                                          [3]>4
inline void two_tree(Program& net) {
  const int p = net.size();
  const Group ranks = net.from(net.params().root);
  const two_trees::Halves cut = two_trees::halves_on_trees(p, net.length(), net.params(), 1, false);
  two_trees::Values blocks(cut);
  const auto block_of = [&](const two_trees::Pass& out) {
    return ranks.rank() == 0 ? net.input(out.first, out.count) : blocks[out];
  };
  net.overlap(Overlap::all);
  two_trees::Walk(two_trees::plan_below_root(ranks.rank(), p), cut, false)
      .go(ranks, block_of, [&](const two_trees::Pass& in, Value block) { net.result(blocks[in] = block, in.first); });
  if (ranks.rank() == 0) net.result(net.input());
}

inline constexpr AlgorithmInfo two_tree_info{
    .paper = "Sanders, Speck, Traeff 2009, sections 3 and 4.1",
    .summary = "two trees, each pipelines one half of the message: full bandwidth in logarithmic depth, any root",
    .rounds = "2q+2k-2 for k blocks per half, 1 more for even p",
    .pipelined = true,
};

}  // namespace mpigraft::bcast
