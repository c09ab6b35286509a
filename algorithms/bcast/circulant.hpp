// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/along_tree.hpp"
#include "algorithms/patterns/circulant.hpp"

namespace mpigraft::bcast {

/// The message of rank 0, block by block, at every rank. block_of_root(first, count) are elements of it.
template <class BlockOf>
List<Value> in_rounds(const Group& net, const Blocks& cut, BlockOf block_of_root) {
  const circulant_graph::Schedule schedule(net.rank(), net.size(), cut.b);
  List<Value> blocks(static_cast<std::size_t>(cut.b));
  const auto block = [&](std::int64_t i) -> Value& { return blocks[static_cast<std::size_t>(i)]; };
  for (std::int64_t i = 0; net.rank() == 0 && i < cut.b; ++i) block(i) = block_of_root(cut.first(i), cut.count(i));
  for (std::int64_t i = schedule.first(); i <= schedule.last(); ++i) {
    const auto out = schedule.sends(i), in = schedule.receives(i);
    net.send(block(out.block), out.peer);
    if (in.peer != none) block(in.block) = net.recv(in.peer, cut.count(in.block));
  }
  return blocks;
}

/// Optimal for every n: the root needs n rounds to send n blocks, and the last one q-1 more to be everywhere. With one
/// block it is a binomial tree.
///
/// Example: p = 7, m = 4, blocks of 1, root 0. [2]>4 is element 2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1  [0]>1
///       2  [1]>2   [0]>3
///       3  [2]>4   [0]>5   [1]>6
///       4  [3]>1   [0]>2   [1]>3   [0]>4   [2]>5   [0]>6
///       5  [3]>2   [3]>3   [1]>4   [1]>5   [2]>6           [1]>1
///       6  [3]>4   [3]>5   [3]>6           [2]>1   [2]>2   [2]>3
inline void circulant(Program& net) {
  const Blocks cut = circulant_graph::cut(net.size(), net.length(), net.params(), false);
  give(net, cut, in_rounds(net.from(net.params().root), cut, input_of(net)));
}

inline constexpr AlgorithmInfo circulant_info{
    .paper = "Traeff 2022, arXiv:2205.10072; 2023, arXiv:2312.11236",
    .summary = "n blocks on a circulant graph in the fewest rounds, any p, any root",
    .rounds = "n-1+q",
    .pipelined = true,
};

}  // namespace mpigraft::bcast
