// SPDX-License-Identifier: MIT
// Pipelined reductions of the halves of a vector along two trees, rank order kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::reduce {

/// One rank of the walk upwards. A block's partial sum starts as the own input; a child of lower rank joins it from the
/// left, one of higher rank from the right. A block begins before the previous one of its half has left, so there are
/// two partial sums per half. A rank without a parent in a half ends with the sum of that half in W. A rank that
/// `gets_result` has parents, but gets in W what its children send.
template <AsyncTransport T>
class TwoTreeSums : public two_trees::Walk {
 public:
  using Pass = two_trees::Pass;

  TwoTreeSums(T& net, Outbox<T>& out, Block V, Block W, const two_trees::Plan& plan, const two_trees::Halves& halves,
              bool gets_result = false)
      : Walk(plan, halves, true),
        net_(net),
        out_(out),
        V_(V),
        W_(W),
        gets_result_(gets_result),
        pool_(net, out, two_trees::scratch_blocks(halves), halves.longest()) {}

  Block room(const Pass& in) {
    if (!gets_result_) return pool_.take(in.count);
    out_.finish(in.of(V_));  // the result may be the input's memory
    return in.of(W_);
  }
  Block departing(const Pass& out) {
    Sum& sum = sum_of(out);
    return pool_.lend(std::exchange(sum.started, false) ? sum.block : out.of(V_));
  }
  void give(Block block) { pool_.give(block); }
  void arrived(const Pass& in, Block block) {
    if (!gets_result_) join(in, block);
  }

 private:
  struct Sum {
    Block block = {};
    bool started = false;
  };

  Sum& sum_of(const Pass& pass) {
    return sums_[static_cast<std::size_t>(pass.half)][static_cast<std::size_t>(pass.index % 2)];
  }

  /// True if `in` completes its half at a rank without a parent in it. The sum then goes to W, which may be the input's
  /// memory.
  bool ends(const Pass& in, const Sum& sum) const {
    const auto is_of_half = [&](const two_trees::Edge& edge) { return edge.peer != none && edge.half == in.half; };
    return std::ranges::none_of(plan.above, is_of_half) &&
           std::ranges::count_if(plan.below, is_of_half) == (sum.started ? 2 : 1);
  }

  void join(const Pass& in, Block block) {
    Sum& sum = sum_of(in);
    const bool is_last = ends(in, sum);
    const Block before = sum.started ? sum.block : in.of(V_), result = in.of(W_);
    if (in.peer > net_.rank()) {
      net_.combine(before, block);
      pool_.give(before);
      if (is_last) net_.copy(block, result), pool_.give(block);
      sum.block = block;
    } else {
      sum.block = is_last ? result : sum.started ? before : pool_.take(in.count);
      net_.combine(block, before, sum.block);
      pool_.give(block);
      if (is_last) pool_.give(before);
    }
    sum.started = !is_last;
  }

  T& net_;
  Outbox<T>& out_;
  const Block V_, W_;
  const bool gets_result_;
  Pool<T> pool_;
  std::array<std::array<Sum, 2>, 2> sums_ = {};  // per half, of even and of odd blocks
};

template <AsyncTransport T>
void run_along_two_trees(T& net, Block V, Block W, int root, const two_trees::Plan& plan,
                         const two_trees::Halves& halves) {
  const bool gets_result = net.rank() == root && two_trees::is_between(root, net.size());
  Outbox out(net);
  TwoTreeSums<T> rank(net, out, V, W, plan, halves, gets_result);
  run_steps(net, out, rank.steps, rank, halves.k > 1 && !gets_result);
}

}  // namespace mpigraft::reduce
