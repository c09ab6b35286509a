// SPDX-License-Identifier: MIT
// Pipelined reductions of the halves of a vector along two trees, rank order kept.
#pragma once

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::reduce {

/// The walk upwards. A block's partial sum starts as the own input; a child of lower rank joins it from the left, one
/// of higher rank from the right. A rank without a parent in a half has the sum of that half.
inline void walk_up(const Group& net, const two_trees::Walk& walk, two_trees::Values& sums) {
  for (std::int64_t s = 0; s < walk.steps; ++s) {
    const two_trees::Pass out = walk.out(s), in = walk.in(s);
    net.begin_round();
    if (out.peer != none) net.send(sums[out], out.peer);
    if (in.peer == none) continue;
    const Value arrived = net.recv(in.peer, in.count);
    sums[in] = in.peer > net.rank() ? net.combine(sums[in], arrived) : net.combine(arrived, sums[in]);
  }
}

/// The same for a root between others. It has parents, but its result is what its children send.
inline void get_result(Program& net, const two_trees::Walk& walk, two_trees::Values& inputs) {
  for (std::int64_t s = 0; s < walk.steps; ++s) {
    const two_trees::Pass out = walk.out(s), in = walk.in(s);
    net.begin_round();
    if (out.peer != none) net.send(inputs[out], out.peer);
    if (in.peer != none) net.result(net.recv(in.peer, in.count), in.first);
  }
}

inline void along_two_trees(Program& net, int root, const two_trees::Plan& plan, const two_trees::Halves& halves) {
  const two_trees::Walk walk(plan, halves, true);
  two_trees::Values sums = inputs(net, halves);
  const bool is_root = net.rank() == root, gets_result = is_root && two_trees::is_between(root, net.size());
  net.overlap(halves.k > 1 && !gets_result ? Overlap::all : Overlap::sends);
  if (gets_result) return get_result(net, walk, sums);
  walk_up(net, walk, sums);
  for (const int half : {0, 1})
    sums.for_each(half,
                  [&](Value sum, std::int64_t first, std::int64_t) { net.result(is_root ? sum : nothing, first); });
}

}  // namespace mpigraft::reduce
