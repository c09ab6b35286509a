// SPDX-License-Identifier: MIT
// The scan along two trees, inclusive and exclusive: sums flow up both trees, then prefixes flow down.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::scan {

/// A rank's part in the two walks. The trees have an even number of members, in rank order; for odd p rank 0 stands
/// above them, and feeds both with its input as the prefix of all. Silent are edges that nobody needs: a sum that
/// includes the last rank, and for even p, the prefix of a subtree that includes the first.
struct ScanPlan {
  two_trees::Plan up, down;
  std::array<bool, 2> left = {}, right = {}, sends_up = {}, has_prefix = {};  // per half

  ScanPlan(int r, int p) {
    const int offset = 1 - p % 2;
    const two_trees::Plan plan = two_trees::plan_of_member(r + offset, p - p % 2);
    up = plan.renamed([&](const two_trees::Edge& edge) { return edge.covers_last ? none : edge.peer - offset; });
    down = plan.renamed(
        [&](const two_trees::Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {
      mark(left, up.below[color], up.below[color].peer < r);
      mark(right, down.below[color], down.below[color].peer > r);
      mark(sends_up, up.above[color], true);
      mark(has_prefix, down.above[color], true);
    }
  }

 private:
  static void mark(std::array<bool, 2>& flags, const two_trees::Edge& edge, bool holds) {
    if (edge.peer != none && holds) flags[static_cast<std::size_t>(edge.half)] = true;
  }
};

/// One rank. After the way up, S = (sum of the left subtree) (+) own input is in W; exclusively, the sum alone, as the
/// input is at hand. Going down, the prefix P of the subtree joins it from the left: the result. P goes on to the left
/// child, P (+) S to the right one.
template <bool exclusive, AsyncTransport T>
class TwoTreeScan {
 public:
  /// What passes in a step of the way up or of the way down.
  struct Pass : two_trees::Pass {
    bool up = false;
  };

  TwoTreeScan(T& net, Block V, Block W, const two_trees::Halves& halves)
      : net_(net),
        r_(net.rank()),
        V_(V),
        W_(W),
        plan_(net.rank(), net.size()),
        up_(plan_.up, halves, true),
        down_(plan_.down, halves, false),
        pool_(net, out_, two_trees::scratch_blocks(halves), halves.longest()) {}

  void run() {
    if (!exclusive) net_.copy(V_, W_);
    run_steps(net_, out_, up_.steps + down_.steps, *this, up_.halves.k > 1);
  }

  Pass in(std::int64_t s) const { return s < up_.steps ? Pass{up_.in(s), true} : Pass{down_.in(s - up_.steps), false}; }
  Pass out(std::int64_t s) const {
    return s < up_.steps ? Pass{up_.out(s), true} : Pass{down_.out(s - up_.steps), false};
  }
  Block room(const Pass& in) { return is_result(in) ? in.of(W_) : pool_.take(in.count); }

  /// The right subtree's sum leaves with the others, the prefix as it is to the left.
  Block departing(const Pass& out) {
    if (!out.up && out.peer < r_) return pool_.lend(kept_);
    const Block sum = with_input(out, at(plan_.left, out) || (!out.up && at(plan_.has_prefix, out)));
    if (!out.up || !at(plan_.right, out)) return pool_.lend(sum);
    net_.combine(sum, kept_);
    pool_.give(sum);
    return pool_.lend(kept_);
  }
  void arrived(const Pass& in, Block block) {
    const bool from_right = in.up && in.peer > r_;
    if (!from_right && !is_result(in)) {
      out_.finish(in.of(W_));
      net_.combine(block, in.of(W_));
    }
    if (from_right || (!in.up && at(plan_.left, in)))
      kept_ = block;
    else
      pool_.give(block);
  }

 private:
  static bool at(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }
  /// Exclusively: the left subtree's sum, or the prefix where there is no left subtree.
  bool is_result(const Pass& in) const { return exclusive && (in.up ? in.peer < r_ : !at(plan_.left, in)); }

  /// W with the own input; `holds`: W has something.
  Block with_input(const Pass& pass, bool holds) {
    if (!exclusive) return pass.of(W_);
    if (!holds) return pass.of(V_);
    const Block joined = pool_.take(pass.count);
    net_.combine(pass.of(W_), pass.of(V_), joined);
    return joined;
  }

  T& net_;
  int r_;
  Block V_, W_;
  Block kept_;
  ScanPlan plan_;
  two_trees::Walk up_, down_;
  Outbox<T> out_{net_};
  Pool<T> pool_;
};

template <bool exclusive>
struct ByTwoTrees {
  template <AsyncTransport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    TwoTreeScan<exclusive, T>(net, V, W, halves(net.size(), V.count, params)).run();
  }

  /// Both walks together: nobody waits for the end of the first before it begins the second.
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const two_trees::Halves cut = halves(p, m, params);
    std::vector<two_trees::Plan> up, down;
    Theorem stated;
    for (int r = 0; r < p; ++r) {
      const ScanPlan plan(r, p);
      stated.applications_last = applications(plan, cut);
      stated.applications = std::max(stated.applications, stated.applications_last);
      stated.sent = std::max(stated.sent, volume(plan.up.above, cut) + volume(plan.down.below, cut));
      stated.received = std::max(stated.received, volume(plan.up.below, cut) + volume(plan.down.above, cut));
      up.push_back(plan.up);
      down.push_back(plan.down);
    }
    two_trees::Clocks clocks(up.size(), cut);
    clocks.walk(up, true);
    clocks.walk(down, false);
    stated.rounds = clocks.latest();
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return two_trees::scratch(halves(p, m, params));
  }

 private:
  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {4.0 * ceil_log2(p), 4}, true);
  }

  static std::int64_t applications(const ScanPlan& plan, const two_trees::Halves& cut) {
    std::int64_t sum = 0;
    for (const int half : {0, 1}) {
      const auto h = static_cast<std::size_t>(half);
      const int left = plan.left[h], right = plan.right[h], up = plan.sends_up[h], prefix = plan.has_prefix[h];
      sum += cut.elements(half) *
             (exclusive ? up * (left + right) + prefix * left + right * (left | prefix) : left + up * right + prefix);
    }
    return sum;
  }
};

}  // namespace mpigraft::scan
