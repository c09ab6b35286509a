// SPDX-License-Identifier: MIT
// Pipelined reductions of the halves of a vector along two trees, towards any root, rank order kept.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::reduce {

/// One rank of the walk upwards. A block's partial sum starts as the own input; a child of lower rank joins it from the
/// left, one of higher rank from the right. A block begins before the previous one of its half has left, so there are
/// two partial sums per half. A root between others has no children but gets the result.
template <AsyncTransport T>
class TwoTreeReduce : public two_trees::Walk {
 public:
  using Pass = two_trees::Pass;

  TwoTreeReduce(T& net, Block V, Block W, int root, const two_trees::Plan& plan, const two_trees::Halves& halves)
      : Walk(plan, halves, true),
        net_(net),
        r_(net.rank()),
        root_(root),
        V_(V),
        W_(W),
        pool_(net, out_, two_trees::scratch_blocks(halves), halves.longest()) {}

  void run() { run_steps(net_, out_, steps, *this, halves.k > 1 && !gets_result()); }

  Block room(const Pass& in) {
    if (!gets_result()) return pool_.take(in.count);
    out_.finish(in.of(V_));  // the result may be the input's memory
    return in.of(W_);
  }
  Block departing(const Pass& out) {
    Sum& sum = sum_of(out);
    return pool_.lend(std::exchange(sum.started, false) ? sum.block : out.of(V_));
  }
  void arrived(const Pass& in, Block block) {
    if (gets_result()) return;
    if (r_ == root_)
      finish(in, block);
    else
      join(in, block);
  }

 private:
  struct Sum {
    Block block = {};
    bool started = false;
  };

  bool gets_result() const { return r_ == root_ && two_trees::is_between(root_, net_.size()); }
  Sum& sum_of(const Pass& pass) {
    return sums_[static_cast<std::size_t>(pass.half)][static_cast<std::size_t>(pass.index % 2)];
  }

  void join(const Pass& in, Block block) {
    Sum& sum = sum_of(in);
    const Block before = sum.started ? sum.block : in.of(V_);
    if (in.peer > r_) {
      net_.combine(before, block);
      if (sum.started) pool_.give(before);
      sum.block = block;
    } else {
      if (!sum.started) sum.block = pool_.take(in.count);
      net_.combine(block, before, sum.block);
      pool_.give(block);
    }
    sum.started = true;
  }

  /// At a root before or behind all others. The input may be the result's memory.
  void finish(const Pass& in, Block block) {
    if (root_ > 0) {
      net_.combine(block, in.of(V_), in.of(W_));
    } else {
      net_.combine(in.of(V_), block);
      net_.copy(block, in.of(W_));
    }
    pool_.give(block);
  }

  T& net_;
  int r_, root_;
  Block V_, W_;
  Outbox<T> out_{net_};
  Pool<T> pool_;
  std::array<std::array<Sum, 2>, 2> sums_ = {};  // per half, of even and of odd blocks
};

}  // namespace mpigraft::reduce
