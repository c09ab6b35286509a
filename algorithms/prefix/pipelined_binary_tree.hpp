// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/prefix/tree_sums.hpp"

namespace mpigraft::prefix {

inline void two_phases(Program& net, bool exclusive, std::int64_t b) {
  const auto v = in_order_tree::place(net.rank(), net.size());
  const Blocks cut = net.segments(b);
  List<TreeSums> blocks = tree_sums(net, cut);
  for (TreeSums& sums : blocks) {
    sums.L = net.recv(v.left, sums.x.count);
    sums.result(net, exclusive);  // made as soon as it can be
    if (!v.sends_up()) continue;
    sums.R = net.recv(v.right, sums.x.count);
    net.send(sums.total(net, exclusive), v.parent);
  }
  for (std::int64_t i = 0; TreeSums & sums : blocks) {
    if (v.has_prefix()) {
      sums.P = net.recv(v.parent, sums.x.count);
      net.send(sums.P, v.left);
    }
    net.result(sums.result(net, exclusive), cut.first(i++));
    net.send(sums.through(net, exclusive, exclusive), v.right);
  }
}

inline std::int64_t blocks_in_two_phases(int p, std::int64_t m, const Params& params) {
  return block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 4}, true);
}

/// All blocks go up, then down the in-order tree (patterns/in_order_tree.hpp), as prefix/tree_sums.hpp says.
///
/// Example: p = 7, m = 2, blocks of 1. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6
///       1  0[0]>1                                  4[0]>5
///       2                      2[0]>1              4[1]>5
///       3  0[1]>1    0-2[0]>3
///       4                      2[1]>1
///       5            0-2[1]>3
///       6            0-1[0]>2            0-3[0]>5
///       7            0-1[1]>2            0-3[1]>5            0-3[0]>4
///       8                                                    0-5[0]>6
///       9                                                    0-3[1]>4
///      10                                                    0-5[1]>6
template <bool exclusive>
void pipelined_binary_tree(Program& net) {
  two_phases(net, exclusive, blocks_in_two_phases(net.size(), net.length(), net.params()));
}

template <bool exclusive>
inline constexpr AlgorithmInfo pipelined_binary_tree_info{
    .paper = exclusive ? "Sanders, Traeff 2006, section 2.3, exclusive form" : "Sanders, Traeff 2006, section 2.3",
    .summary = "in-order binary tree of height n, blocks up and then down, sending and receiving at once",
    .rounds = "4(b-1)+4n-2",
    .cuts = Cuts::blocks,
    .associates_like = exclusive ? "" : "binary_tree",
};

}  // namespace mpigraft::prefix
