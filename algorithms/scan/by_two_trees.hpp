// SPDX-License-Identifier: MIT
// The scan along two trees, inclusive and exclusive: sums flow up both trees, then prefixes flow down.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/transport.hpp"

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
template <bool exclusive, Transport T>
class TwoTreeScan {
 public:
  TwoTreeScan(T& net, Block V, Block W, const two_trees::Halves& halves)
      : net_(net), r_(net.rank()), V_(V), W_(W), plan_(net.rank(), net.size()), halves_(halves) {
    for (Block* block : {&arrived_, &kept_}) *block = net.scratch(halves.longest());
    if (exclusive) joined_ = net.scratch(halves.longest());
  }

  void run() {
    if (!exclusive) net_.copy(V_, W_);
    upwards(plan_.up, halves_, [&](const Pass& in, const Pass& out) { step_up(in, out); });
    downwards(plan_.down, halves_, [&](const Pass& in, const Pass& out) { step_down(in, out); });
  }

 private:
  using Pass = two_trees::Pass;
  static bool at(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }

  /// W with the own input; `holds`: W has something.
  Block with_input(const Pass& pass, bool holds) {
    if (!exclusive) return pass.of(W_);
    if (!holds) return pass.of(V_);
    net_.combine(pass.of(W_), pass.of(V_), pass.in(joined_));
    return pass.in(joined_);
  }

  /// The right subtree's sum is kept until it leaves with the others; meanwhile the left one's has come.
  void step_up(const Pass& in, const Pass& out) {
    Block sum = V_;
    if (out.peer != none) {
      sum = with_input(out, at(plan_.left, out));
      if (at(plan_.right, out)) {
        net_.combine(sum, out.in(kept_));
        sum = out.in(kept_);
      }
    }
    const bool from_left = in.peer < r_;
    net_.sendrecv(sum, out.peer, exclusive && from_left ? in.of(W_) : in.in(arrived_), in.peer);
    if (in.peer == none) return;
    if (!from_left) {
      std::swap(arrived_, kept_);
    } else if (!exclusive) {
      net_.combine(in.in(arrived_), in.of(W_));
    }
  }

  /// The prefix is kept for the left child.
  void step_down(const Pass& in, const Pass& out) {
    Block prefix = V_;
    if (out.peer != none)
      prefix = out.peer < r_ ? out.in(kept_) : with_input(out, at(plan_.left, out) || at(plan_.has_prefix, out));
    const bool is_result = exclusive && !at(plan_.left, in);
    net_.sendrecv(prefix, out.peer, is_result ? in.of(W_) : in.in(arrived_), in.peer);
    if (in.peer == none || is_result) return;
    net_.combine(in.in(arrived_), in.of(W_));
    if (at(plan_.left, in)) std::swap(arrived_, kept_);
  }

  T& net_;
  int r_;
  Block V_, W_;
  Block arrived_, kept_, joined_;
  ScanPlan plan_;
  two_trees::Halves halves_;
};

template <bool exclusive>
struct ByTwoTrees {
  template <Transport T>
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
    return (exclusive ? 3 : 2) * halves(p, m, params).longest();
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
