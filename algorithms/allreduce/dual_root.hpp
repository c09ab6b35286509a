// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::allreduce {

/// A tree on the lower and one on the upper half of the ranks. Sums flow up, the roots exchange them, and totals flow
/// down: a rank turns to one neighbour after the other, and an edge passes the total of a block down while the sum of a
/// later one goes up. The paper's trees are in post-order; in-order ones keep the order of ranks, too, and need no more
/// rounds.
///
/// Example: p = 8, m = 2, blocks of 1. 0-2[1]>3 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                                  4[0]>5
///       2                      2[0]>1                                  6[0]>5
///       3  0[1]>1    0-2[0]>3                      4[1]>5    4-6[0]>7
///       4                      2[1]>1    0-3[0]>7                      6[1]>5    4-7[0]>3
///       5            0-2[1]>3            0-7[0]>1            4-6[1]>7            0-7[0]>5
///       6            0-7[0]>0            0-3[1]>7            0-7[0]>4            4-7[1]>3
///       7            0-7[0]>2            0-7[1]>1            0-7[0]>6            0-7[1]>5
///       8            0-7[1]>0                                0-7[1]>4
///       9            0-7[1]>2                                0-7[1]>6
struct dual_root {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    if (p == 1) return net.copy(V, W);
    const Blocks cut{V.count, blocks(p, V.count, params)};
    Outbox out(net);
    Rank<T> rank(net, out, V, W, cut, place(net.rank(), p));
    run_steps(net, out, 3 * (cut.b - 1) + 4 * height(p) + 1, rank, cut.b > 1 && rank.combines());
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const auto is_power = [](int size) { return std::has_single_bit(static_cast<unsigned>(size)); };
    const int upper = p - lower(p), neighbours = std::min(ceil_log2(p), 3);
    return {.rounds = static_cast<int>(rounds(p, blocks(p, m, params))),
            .applications = m * (is_power(p) ? std::min(neighbours, 2) : neighbours),
            .applications_last = m * ((upper % 2 == 0) + is_power(upper)),
            .sent = m * neighbours,
            .received = m * neighbours};
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks cut{m, blocks(p, m, params)};
    return pool_size(cut) * cut.count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Traeff 2021, arXiv:2109.12626; trees: Sanders, Traeff 2006, section 2.3",
      .summary = "two trees whose roots exchange, sums on their way up while totals come down, rank order kept",
      .rounds = "at most 3(b-1)+4n+1",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Ranks of the lower tree, which is as high as the upper one or higher.
  static constexpr int lower(int p) { return p - p / 2; }
  static constexpr int height(int p) { return in_order_tree::height(lower(p)); }

  /// The place of rank r among all ranks; the root of each tree is the parent of the other's.
  static constexpr in_order_tree::Place place(int r, int p) {
    const bool in_lower = r < lower(p);
    const int first = in_lower ? 0 : lower(p), size = in_lower ? lower(p) : p - lower(p);
    in_order_tree::Place v = in_order_tree::place(r - first, size);
    for (int* neighbour : {&v.parent, &v.left, &v.right})
      if (*neighbour != none) *neighbour += first;
    if (v.parent == none)
      v.parent = in_lower ? lower(p) + in_order_tree::root(p - lower(p)) : in_order_tree::root(lower(p));
    return v;
  }

  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {4.0 * height(p) + 1, 3}, true);
  }
  /// The first block takes the heaviest way up, from the left in two rounds where a right one follows, then the
  /// exchange, and the heaviest way down. The others follow as fast as a rank can turn to its neighbours. Where both
  /// roots have a left child only, they turn faster, which spares the second block a round.
  static std::int64_t rounds(int p, std::int64_t b) {
    const auto way_up = [](int size) {
      return 2 * in_order_tree::height(size) - (size > 1 && std::has_single_bit(static_cast<unsigned>(size)));
    };
    const int upper = p - lower(p), first = std::max(way_up(lower(p)), way_up(upper)) + 1 +
                                            std::max(in_order_tree::way_down(lower(p)), in_order_tree::way_down(upper));
    const bool spares = p >= 8 && std::has_single_bit(static_cast<unsigned>(p)) && b > 1;
    return first + std::min(ceil_log2(p), 3) * (b - 1) - spares;
  }

  /// One rank. The sum of a block is the own input at first. With the left child's it is in W, with the right child's
  /// where that came.
  template <AsyncTransport T>
  class Rank : public tree_slots::Walk {
   public:
    using Move = tree_slots::Move;

    Rank(T& net, Outbox<T>& out, Block V, Block W, Blocks cut, const in_order_tree::Place& v)
        : Walk(v.parent, v.left, v.right, tree_slots::turning_slots(v, height(net.size())), cut.b),
          net_(net),
          out_(out),
          V_(V),
          W_(W),
          cut_(cut),
          v_(v),
          is_root_(v.lefts + v.rights == 0),
          pool_(net, out, pool_size(cut), cut.count(0)) {}

    /// False if the rank only sends and receives. A block that comes then takes the place of one that it has sent, so
    /// it must not be received ahead.
    bool combines() const { return v_.left != none || is_root_; }

    Block room(const Move& in) {
      if (in.peer != v_.parent || is_root_) return pool_.take(cut_.count(in.index));
      out_.finish(cut_.of(V_, in.index));  // the result may be the input's memory
      out_.finish(cut_.of(W_, in.index));
      return cut_.of(W_, in.index);
    }
    Block departing(const Move& out) {
      return out.peer == v_.parent ? pool_.lend(sum(out.index)) : cut_.of(W_, out.index);
    }
    void arrived(const Move& in, Block block) {
      if (in.peer == v_.left) {
        net_.combine(block, cut_.of(V_, in.index), cut_.of(W_, in.index));
        pool_.give(block);
      } else if (in.peer == v_.right) {
        net_.combine(cut_.of(W_, in.index), block);
        with_right_ = block;
      } else if (is_root_) {
        join_other_root(in.index, block);
      }
    }

   private:
    Block sum(std::int64_t i) const { return v_.right != none ? with_right_ : cut_.of(v_.left != none ? W_ : V_, i); }
    /// The own sum may still be under way to the other root, so it is overwritten only after that send.
    void join_other_root(std::int64_t i, Block other) {
      const Block own = sum(i), total = cut_.of(W_, i);
      if (v_.parent > net_.rank()) {
        net_.combine(own, other);
        out_.finish(own);
        net_.copy(other, total);
      } else {
        out_.finish(own);
        net_.combine(other, own, total);
      }
      pool_.give(other);
    }

    T& net_;
    Outbox<T>& out_;
    const Block V_, W_;
    const Blocks cut_;
    const in_order_tree::Place v_;
    const bool is_root_;
    Pool<T> pool_;
    Block with_right_;
  };
};

}  // namespace mpigraft::allreduce
