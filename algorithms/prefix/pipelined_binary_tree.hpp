// SPDX-License-Identifier: MIT
// The in-order tree in two phases: all blocks up, then all blocks down. Sends and receives of a rank overlap.
#pragma once

#include <array>

#include "algorithms/ports.hpp"
#include "algorithms/prefix/tree_figures.hpp"
#include "algorithms/prefix/tree_sums.hpp"

namespace mpigraft::prefix {

/// One rank. Every receive is announced before the previous block is used, in one of three spare blocks.
template <bool exclusive, AsyncTransport T>
class TwoPhases {
 public:
  TwoPhases(T& net, Block V, Block W, Blocks cut)
      : v_(in_order_tree::place(net.rank(), net.size())), cut_(cut), sums_(net, V, W, cut, v_), in_(net), out_(net) {
    spare_ = net.scratch(cut.count(0));
    turns_.fill(net.scratch(cut.count(0)));
    if (cut.b > 1) turns_[1] = net.scratch(cut.count(0));
  }

  void up() {
    expect_left(0);
    for (std::int64_t i = 0; i < cut_.b; ++i) {
      if (v_.left != none) join_left(i);
      if (v_.sends_up()) out_.send(sums_.total(i, v_.left != none ? right_total(i) : spare_), v_.parent);
    }
    out_.finish();
  }
  void down() {
    if (v_.left == none) expect_prefix(0);
    for (std::int64_t i = 0; i < cut_.b; ++i) {
      if (v_.has_prefix()) join_prefix(i);
      if (v_.right != none) out_.send(sums_.through(i, v_.has_prefix() ? last_total(i) : turn(i)), v_.right);
    }
    out_.finish();
    sums_.finish();
  }

 private:
  void join_left(std::int64_t i) {
    const Block L = in_.take();
    if (v_.sends_up())
      in_.expect(turn(i), v_.right);
    else
      expect_left(i + 1);
    sums_.join_left(i, L);
  }
  Block right_total(std::int64_t i) {
    const Block R = in_.take();
    expect_left(i + 1);
    return R;
  }
  void join_prefix(std::int64_t i) {
    const Block P = in_.take();
    out_.finish();  // block i-1 has left the spare block in which i+1 comes
    expect_prefix(i + 1);
    if (v_.left != none) out_.send(P, v_.left);
    sums_.join_prefix(i, P);
  }
  void expect_left(std::int64_t i) {
    if (v_.left == none) return;
    if (i == cut_.b) return expect_prefix(0);
    in_.expect(sums_.left_total(i, v_.sends_up() ? part(spare_, i) : turn(i)), v_.left);
  }
  void expect_prefix(std::int64_t i) {
    if (v_.has_prefix() && i < cut_.b)
      in_.expect(sums_.prefix(i, i % 2 == 0 ? part(spare_, i) : part(turns_[static_cast<std::size_t>(cut_.b % 2)], i)),
                 v_.parent);
  }

  Block part(Block block, std::int64_t i) const { return block.part(0, cut_.count(i)); }
  /// The spare block of the last total, while prefixes come in the two others.
  Block last_total(std::int64_t i) const { return part(turns_[static_cast<std::size_t>((cut_.b - 1) % 2)], i); }
  Block turn(std::int64_t i) const { return part(turns_[static_cast<std::size_t>(i % 2)], i); }

  const in_order_tree::Place v_;
  const Blocks cut_;
  TreeSums<exclusive, T> sums_;
  Inbox<T> in_;
  Outbox<T> out_;
  Block spare_;
  std::array<Block, 2> turns_;
};

template <bool exclusive, bool pipelined>
struct OnTree {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return !pipelined ? 1 : block_count(m, params, {4.0 * in_order_tree::height(p) - 2, 4}, true);
  }
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    TwoPhases<exclusive, T> rank(net, V, W, {V.count, blocks(net.size(), V.count, params)});
    rank.up();
    rank.down();
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    return tree_theorem(exclusive, p, m, two_phase_rounds(p, blocks(p, m, params)));
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks cut{m, blocks(p, m, params)};
    return (cut.b > 1 ? 3 : 2) * cut.count(0);
  }
};

}  // namespace mpigraft::prefix
