// SPDX-License-Identifier: MIT
// The in-order tree in two phases: all blocks up, then all blocks down.
#pragma once

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/prefix/tree_sums.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

template <bool exclusive>
void two_phases(Program& net, std::int64_t b) {
  const auto v = in_order_tree::place(net.rank(), net.size());
  TreeSums<exclusive> sums(net, b);
  for (std::int64_t i = 0; i < b; ++i) {
    if (v.left != none) sums.left_total(i, net.recv(v.left, sums.count(i)));
    if (!v.sends_up()) continue;
    sums.right_total(i, net.recv(v.right, sums.count(i)));
    net.send(sums.total(i), v.parent);
  }
  for (std::int64_t i = 0; i < b; ++i) {
    if (v.has_prefix()) {
      const Value P = net.recv(v.parent, sums.count(i));
      net.send(P, v.left);
      sums.prefix(i, P);
    }
    net.send(sums.through(i), v.right);
  }
  sums.finish();
}

template <class A, bool exclusive, bool pipelined>
struct OnTree {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return !pipelined ? 1 : block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 4}, true);
  }
  static void text(Program& net) { two_phases<exclusive>(net, blocks(net.size(), net.length(), net.params())); }
};

}  // namespace mpigraft::prefix
