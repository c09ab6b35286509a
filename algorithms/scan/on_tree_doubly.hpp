// SPDX-License-Identifier: MIT
// The in-order tree with totals and prefixes under way at the same time.
#pragma once

#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/scan/tree_figures.hpp"
#include "algorithms/scan/tree_sums.hpp"

namespace mpigraft::scan {

/// One rank. Two spare blocks suffice: in `rising` a child's total comes, and leaves with what it is joined to; in
/// `falling` a prefix comes, and is on its way to the left before the right child's prefix or the next one is made.
template <bool exclusive, Transport T>
class DoublyPipelined {
 public:
  DoublyPipelined(T& net, Block V, Block W, Blocks cut)
      : net_(net),
        v_(in_order_tree::place(net.rank(), net.size())),
        cut_(cut),
        sums_(net, V, W, cut, v_),
        rising_(net.scratch(cut.count(0))),
        falling_(net.scratch(cut.count(0))) {}

  /// In every slot at most one of the three edges passes anything.
  void run() {
    const int p = net_.size(), n = in_order_tree::height(p);
    const tree_slots::Slots slots = tree_slots::slots(v_, n);
    for (std::int64_t slot = 1; slot <= 3 * (cut_.b - 1) + 4 * n - 2; ++slot) {
      if (const auto passing = slots.parent.at(slot, cut_.b)) with_parent(passing);
      if (const auto passing = slots.left.at(slot, cut_.b)) with_left(passing);
      if (const auto passing = slots.right.at(slot, cut_.b)) with_right(passing);
    }
    sums_.finish();
  }

 private:
  void with_parent(tree_slots::Passing block) {
    const Block total = block.up != none ? sums_.total(block.up, part(rising_, block.up)) : rising_;
    const Block P = block.down != none ? sums_.prefix(block.down, part(falling_, block.down)) : falling_;
    exchange(v_.parent, total, block.up != none, P, block.down != none);
    if (block.down != none) sums_.join_prefix(block.down, P);
  }
  void with_left(tree_slots::Passing block) {
    const Block L = block.up != none ? sums_.left_total(block.up, part(rising_, block.up)) : rising_;
    exchange(v_.left, part(falling_, block.down), block.down != none, L, block.up != none);
    if (block.up != none) sums_.join_left(block.up, L);
  }
  void with_right(tree_slots::Passing block) {
    const Block through = block.down != none ? sums_.through(block.down, part(falling_, block.down)) : falling_;
    exchange(v_.right, through, block.down != none, part(rising_, block.up), block.up != none);
  }
  void exchange(int peer, Block out, bool sends, Block in, bool receives) {
    net_.sendrecv(out, sends ? peer : none, in, receives ? peer : none);
  }
  Block part(Block block, std::int64_t i) const { return block.part(0, i != none ? cut_.count(i) : 0); }

  T& net_;
  const in_order_tree::Place v_;
  const Blocks cut_;
  TreeSums<exclusive, T> sums_;
  const Block rising_, falling_;
};

template <bool exclusive>
struct OnTreeDoubly {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 3}, true);
  }
  template <Transport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    DoublyPipelined<exclusive, T>(net, V, W, {V.count, blocks(net.size(), V.count, params)}).run();
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    return tree_theorem(exclusive, p, m, tree_slots::rounds(p, blocks(p, m, params)));
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return 2 * Blocks{m, blocks(p, m, params)}.count(0);
  }
};

}  // namespace mpigraft::scan
