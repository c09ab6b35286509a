// SPDX-License-Identifier: MIT
// The in-order tree with totals and prefixes under way at the same time.
#pragma once

#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/prefix/tree_sums.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// The rank at place v of an in-order tree of this height. A right child's total leaves one slot after it has come,
/// joined; a prefix goes to the left one slot after it has come, as it is.
template <bool exclusive>
void doubly_pipelined(Program& net, std::int64_t b, const in_order_tree::Place& v, int height) {
  const tree_slots::Walk walk(v.parent, v.left, v.right, tree_slots::slots(v, height), b);
  TreeSums<exclusive> sums(net, b);
  Value P = nothing;
  for (std::int64_t s = 0; s < 3 * (b - 1) + 4 * height - 2; ++s) {
    const auto out = walk.out(s), in = walk.in(s);
    if (out.peer != none)
      net.send(out.peer == v.parent ? sums.total(out.index)
               : out.peer == v.left ? P
                                    : sums.through(out.index),
               out.peer);
    if (in.peer == none) continue;
    const Value arrived = net.recv(in.peer, sums.count(in.index));
    if (in.peer == v.left) sums.left_total(in.index, arrived);
    if (in.peer == v.right) sums.right_total(in.index, arrived);
    if (in.peer == v.parent) sums.prefix(in.index, P = arrived);
  }
  sums.finish();
}

template <class A, bool exclusive>
struct OnTreeDoubly {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 3}, true);
  }
  static void text(Program& net) {
    const int p = net.size();
    doubly_pipelined<exclusive>(net, blocks(p, net.length(), net.params()), in_order_tree::place(net.rank(), p),
                                in_order_tree::height(p));
  }
};

}  // namespace mpigraft::prefix
