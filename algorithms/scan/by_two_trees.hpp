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
  /// The right subtree's sum comes before the left one's, and the prefix goes to the left before the right.
  std::array<bool, 2> right_up_first = {};

  ScanPlan(int r, int p) {
    const int offset = 1 - p % 2;
    const two_trees::Plan plan = two_trees::plan_of_member(r + offset, p - p % 2);
    up = plan.renamed([&](const two_trees::Edge& edge) { return edge.covers_last ? none : edge.peer - offset; });
    down = plan.renamed(
        [&](const two_trees::Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {
      const two_trees::Edge &to_left = up.below[color], &to_right = down.below[color], &other = up.below[1 - color];
      mark(left, to_left, to_left.peer < r);
      mark(right, to_right, to_right.peer > r);
      mark(right_up_first, to_right, to_right.peer > r && other.peer != none && other.first < to_right.first);
      mark(sends_up, up.above[color], true);
      mark(has_prefix, down.above[color], true);
    }
  }

  /// Exclusively, whether the rank keeps its own input with the left subtree's sum.
  bool keeps_sum(int half) const {
    const auto h = static_cast<std::size_t>(half);
    return left[h] && right[h] && !right_up_first[h];
  }
  /// An inner member of one tree is a leaf of the other.
  int half_of_sums() const { return keeps_sum(0) ? 0 : keeps_sum(1) ? 1 : none; }

 private:
  static void mark(std::array<bool, 2>& flags, const two_trees::Edge& edge, bool holds) {
    if (edge.peer != none && holds) flags[static_cast<std::size_t>(edge.half)] = true;
  }
};

/// One rank. Going up, S = (sum L of the left subtree) (+) own input goes on, joined from the right by the right
/// subtree's sum R. Going down, the prefix P goes on to the left child, and P (+) S to the right one. Inclusively, S
/// and then P (+) S is in W.
///
/// Exclusively, W gets L and then P (+) L. Here nobody applies the operator twice between two steps of a full pipeline,
/// where all would wait: L before R, S has room of its own, and goes to the right child, too, as P (+) S. Otherwise R
/// is joined to the input until L comes, and P (+) L to the input after P has left.
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
        pool_(net, out_, pool_blocks(halves), halves.longest()) {
    if (const int half = plan_.half_of_sums(); exclusive && half != none) {
      first_sum_ = half == 0 ? 0 : halves.elements(0);
      sums_ = net.scratch(halves.elements(half));
    }
  }

  void run() {
    if (!exclusive) net_.copy(V_, W_);
    run_steps(net_, out_, up_.steps + down_.steps, *this, up_.halves.k > 1);
  }

  Pass in(std::int64_t s) const { return s < up_.steps ? Pass{up_.in(s), true} : Pass{down_.in(s - up_.steps), false}; }
  Pass out(std::int64_t s) const {
    return s < up_.steps ? Pass{up_.out(s), true} : Pass{down_.out(s - up_.steps), false};
  }
  Block room(const Pass& in) { return is_result(in) ? in.of(W_) : pool_.take(in.count); }

  Block departing(const Pass& out) {
    if (out.up) return pool_.lend(at(plan_.right, out) ? kept_ : sum(out, at(plan_.left, out)));
    if (out.peer > r_) return pool_.lend(prefix_for_right(out));
    if (exclusive) net_.combine(kept_, out.of(W_));
    return pool_.lend(kept_);
  }
  void arrived(const Pass& in, Block block) {
    if (!in.up)
      prefix_arrived(in, block);
    else if (in.peer < r_)
      left_arrived(in, block);
    else
      right_arrived(in, block);
  }

 private:
  static bool at(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }
  /// Beside a whole half fewer suffice: no other sum has to be made.
  int pool_blocks(const two_trees::Halves& halves) const {
    const int all = two_trees::scratch_blocks(halves);
    return exclusive && plan_.half_of_sums() != none ? std::min(3, all - 1) : all;
  }
  /// Exclusively: the left subtree's sum, or the prefix where there is no left subtree.
  bool is_result(const Pass& in) const { return exclusive && (in.up ? in.peer < r_ : !at(plan_.left, in)); }

  void left_arrived(const Pass& in, Block block) {
    if (!exclusive) {
      net_.combine(block, in.of(W_));
      pool_.give(block);
    } else if (plan_.keeps_sum(in.half)) {
      net_.combine(block, in.of(V_), sum_at(in));
    }
    if (at(plan_.right_up_first, in) && at(plan_.sends_up, in)) net_.combine(in.of(W_), kept_);
  }
  void right_arrived(const Pass& in, Block block) {
    kept_ = block;
    if (exclusive)
      net_.combine(plan_.keeps_sum(in.half) ? sum_at(in) : in.of(V_), block);
    else if (!at(plan_.right_up_first, in))
      net_.combine(in.of(W_), block);
  }
  void prefix_arrived(const Pass& in, Block block) {
    if (!exclusive) {
      out_.finish(in.of(W_));
      net_.combine(block, in.of(W_));
    }
    if (at(plan_.left, in))
      kept_ = block;
    else
      pool_.give(block);
  }
  Block prefix_for_right(const Pass& out) {
    if (!exclusive || !plan_.keeps_sum(out.half)) return sum(out, at(plan_.left, out) || at(plan_.has_prefix, out));
    if (at(plan_.has_prefix, out)) net_.combine(kept_, sum_at(out));
    return sum_at(out);
  }

  Block sum_at(const Pass& pass) const { return sums_.part(pass.first - first_sum_, pass.count); }
  /// W with the own input; `holds`: W has something.
  Block sum(const Pass& pass, bool holds) {
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
  Block sums_;                  // exclusively, S of a half
  std::int64_t first_sum_ = 0;  // where that half begins
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
  /// With many blocks, most at a rank that keeps the sums of a half.
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const two_trees::Halves cut = halves(p, m, params);
    return std::max(two_trees::scratch(cut), exclusive && cut.k > 1 ? 3 * cut.longest() + cut.elements(0) : 0);
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
      const int exclusively = plan.keeps_sum(half) ? left + up * right + prefix * (left + right)
                                                   : up * (left + right) + prefix * left + right * (left | prefix);
      sum += cut.elements(half) * (exclusive ? exclusively : left + up * right + prefix);
    }
    return sum;
  }
};

}  // namespace mpigraft::scan
