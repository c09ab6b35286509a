// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"

namespace mpigraft::bcast {

/// One chain through all ranks: root, root+1, ..., p-1, 0, ..., root-1.
struct Chain {
  static constexpr in_order_tree::Place place(int r, int p, int root) {
    const int before = (r > 0 ? r : p) - 1, after = r + 1 < p ? r + 1 : 0;
    return {r == root ? none : before, after == root ? none : after, none};
  }
  static constexpr Pipeline rounds(int p, int) { return {p - 1.0, 1}; }
};

/// Example: p = 5, m = 3, blocks of 1, root 0. [0]>1 is element 0, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4
///       1  [0]>1
///       2  [1]>1   [0]>2
///       3  [2]>1   [1]>2   [0]>3
///       4          [2]>2   [1]>3   [0]>4
///       5                  [2]>3   [1]>4
///       6                          [2]>4
inline void linear_pipeline(Program& net) {
  const int p = net.size(), root = net.params().root;
  const Blocks cut{net.length(), block_count(net.length(), net.params(), Chain::rounds(p, root), false)};
  give(net, cut, along_tree(net, cut, Chain::place(net.rank(), p, root), input_of(net)));
}

inline constexpr AlgorithmInfo linear_pipeline_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2",
    .summary = "b blocks along one chain, any root",
    .rounds = "p+b-2",
    .pipelined = true,
};

}  // namespace mpigraft::bcast
