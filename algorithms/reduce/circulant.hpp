// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/circulant.hpp"

namespace mpigraft::reduce {

/// True if there is room to receive a block before the one before it is added: all blocks and two more fit into twice
/// the vector.
constexpr bool is_ahead(const Blocks& blocks) { return 2 * blocks.count(0) <= blocks.m; }

/// The broadcast walked backwards: what a rank received it now sends, and what it sent it receives and adds. Invariant:
/// a rank sends a block once, after the last time that it receives it.
///
/// Example: p = 7, m = 4, blocks of 1, root 0. [2]>4 is element 2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1          [2]>4   [2]>5   [2]>6   [3]>0   [3]>1   [3]>2
///       2          [1]>6   [3]>0   [3]>1   [1]>2   [1]>3   [2]>4
///       3          [3]>0   [0]>1   [1]>2   [0]>3   [2]>4   [0]>5
///       4                                  [2]>0   [0]>1   [1]>2
///       5                  [1]>0   [0]>1
///       6          [0]>0
inline void circulant(Program& net) {
  const Group ranks = net.from(net.params().root);
  const Blocks blocks = circulant_graph::cut(net.size(), net.length(), net.params(), true);
  const circulant_graph::Schedule schedule(ranks.rank(), net.size(), blocks.b);
  List<Value> acc;
  for (std::int64_t i = 0; i < blocks.b; ++i) acc.push_back(net.input(blocks, i));
  const auto block = [&](std::int64_t i) -> Value& { return acc[static_cast<std::size_t>(i)]; };
  net.overlap(is_ahead(blocks) ? Overlap::all : Overlap::sends);
  for (std::int64_t i = schedule.last(); i >= schedule.first(); --i) {
    const auto in = schedule.sends(i), out = schedule.receives(i);
    ranks.send(block(out.block), out.peer);
    if (in.peer != none) block(in.block) = net.combine(ranks.recv(in.peer, blocks.count(in.block)), block(in.block));
  }
  for (std::int64_t i = 0; ranks.rank() == 0 && i < blocks.b; ++i) net.result(block(i), blocks.first(i));
}

inline constexpr AlgorithmInfo circulant_info{
    .paper = "Traeff 2022, arXiv:2205.10072; 2024, arXiv:2407.18004",
    .summary = "n blocks on a circulant graph in the fewest rounds, any p, any root",
    .rounds = "n-1+q",
    .commutative = true,
    .cuts = Cuts::blocks,
    .varies_with_blocks = true,
};

}  // namespace mpigraft::reduce
