// SPDX-License-Identifier: MIT
// The scan along two trees, inclusive and exclusive: sums flow up both trees, then prefixes flow down.
#pragma once

#include <cstdint>

#include "algorithms/patterns/two_tree_scan.hpp"
#include "algorithms/ports.hpp"
#include "algorithms/prefix/two_tree_figures.hpp"
#include "algorithms/prefix/two_tree_sums.hpp"

namespace mpigraft::prefix {

/// One rank: what it receives and sends in each step of the way up, and then of the way down.
template <bool exclusive, AsyncTransport T>
class TwoTreeScan {
 public:
  struct Pass : two_trees::Pass {
    bool up = false;
  };

  TwoTreeScan(T& net, Block V, Block W, const two_trees::Halves& halves, int left_first)
      : net_(net),
        r_(net.rank()),
        plan_(net.rank(), net.size(), left_first),
        up_(plan_.up, halves, true),
        down_(plan_.down, halves, false),
        sums_(net, V, W, plan_, halves, out_) {}

  void run() {
    sums_.begin();
    run_steps(net_, out_, up_.steps + down_.steps, *this, up_.halves.k > 1);
  }

  Pass in(std::int64_t s) const { return s < up_.steps ? Pass{up_.in(s), true} : Pass{down_.in(s - up_.steps), false}; }
  Pass out(std::int64_t s) const {
    return s < up_.steps ? Pass{up_.out(s), true} : Pass{down_.out(s - up_.steps), false};
  }
  void before(std::int64_t s) {
    if (s == up_.steps) sums_.between_walks();
  }
  Block room(const Pass& in) {
    if (!in.up) return sums_.room_for_prefix(in);
    return in.peer < r_ ? sums_.room_for_left(in) : sums_.room_for_right(in);
  }
  void arrived(const Pass& in, Block block) {
    if (!in.up)
      sums_.join_prefix(in, block);
    else if (in.peer < r_)
      sums_.join_left(in, block);
    else
      sums_.join_right(in, block);
  }
  Block departing(const Pass& out) {
    if (out.up) return sums_.total(out);
    return out.peer < r_ ? sums_.prefix(out) : sums_.through(out);
  }

 private:
  T& net_;
  const int r_;
  const two_trees::ScanPlan plan_;
  const two_trees::Walk up_, down_;
  Outbox<T> out_{net_};
  TwoTreeSums<exclusive, T> sums_;
};

template <bool exclusive>
struct ByTwoTrees : TwoTreeFigures<exclusive> {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    using Figures = TwoTreeFigures<exclusive>;
    const two_trees::Halves cut = Figures::halves(net.size(), operands.input.count, params);
    TwoTreeScan<exclusive, T>(net, operands.input, operands.result, cut, Figures::left_first(cut, params)).run();
  }
};

}  // namespace mpigraft::prefix
