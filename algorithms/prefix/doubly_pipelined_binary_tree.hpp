// SPDX-License-Identifier: MIT
// The in-order tree with totals and prefixes under way at the same time.
#pragma once

#include <array>

#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/ports.hpp"
#include "algorithms/prefix/tree_figures.hpp"
#include "algorithms/prefix/tree_sums.hpp"

namespace mpigraft::prefix {

/// One rank.
template <bool exclusive, AsyncTransport T>
class DoublyPipelined : public tree_slots::Walk {
 public:
  using Move = tree_slots::Move;

  /// The rank at place v of an in-order tree of this height.
  DoublyPipelined(T& net, Block V, Block W, Blocks cut, const in_order_tree::Place& v, int height)
      : Walk(v.parent, v.left, v.right, tree_slots::slots(v, height), cut.b),
        net_(net),
        V_(V),
        W_(W),
        v_(v),
        cut_(cut),
        sums_(net, V, W, cut, v_),
        height_(height),
        pool_(net, out_, pool_size(cut), cut.count(0)) {}

  void run() {
    run_steps(net_, out_, 3 * (cut_.b - 1) + 4 * height_ - 2, *this, cut_.b > 1);
    sums_.finish();
  }

  Block room(const Move& in) {
    const Block spare = pool_.take(cut_.count(in.index));
    if (in.peer == v_.right) return spare;
    return instead_of(spare, in.peer == v_.parent ? sums_.prefix(in.index, spare) : sums_.left_total(in.index, spare));
  }
  Block departing(const Move& out) {
    if (out.peer == v_.parent) return pool_.lend(total(out.index));
    if (out.peer == v_.left) return pool_.lend(prefix_);
    const Block spare = pool_.take(cut_.count(out.index));
    return pool_.lend(instead_of(spare, sums_.through(out.index, spare)));
  }
  /// A right child's total leaves one slot later, joined; a prefix goes to the left one slot later, as it is.
  void arrived(const Move& in, Block block) {
    if (in.peer == v_.right) {
      right_total_ = block;
    } else if (in.peer == v_.left) {
      sums_.join_left(in.index, block);
      pool_.give(block);
    } else {
      out_.finish(cut_.of(V_, in.index));  // the result may be the input's memory
      out_.finish(cut_.of(W_, in.index));  // a total without a right child's
      sums_.join_prefix(in.index, block);
      if (v_.left != none)
        prefix_ = block;
      else
        pool_.give(block);
    }
  }

 private:
  Block total(std::int64_t i) {
    if (v_.right != none || v_.left == none || !exclusive) return sums_.total(i, right_total_);
    return sums_.total(i, pool_.take(cut_.count(i)));
  }
  Block instead_of(Block spare, Block taken) {
    if (taken != spare) pool_.give(spare);
    return taken;
  }

  T& net_;
  const Block V_, W_;
  const in_order_tree::Place v_;
  const Blocks cut_;
  TreeSums<exclusive, T> sums_;
  const int height_;
  Outbox<T> out_{net_};
  Pool<T> pool_;
  Block right_total_, prefix_;
};

template <bool exclusive>
struct OnTreeDoubly {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 3}, true);
  }
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    DoublyPipelined<exclusive, T>(net, V, W, {V.count, blocks(p, V.count, params)}, in_order_tree::place(net.rank(), p),
                                  in_order_tree::height(p))
        .run();
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    return tree_theorem(exclusive, p, m, tree_slots::rounds(p, blocks(p, m, params)));
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks cut{m, blocks(p, m, params)};
    return pool_size(cut) * cut.count(0);
  }
};

}  // namespace mpigraft::prefix
