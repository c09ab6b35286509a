// SPDX-License-Identifier: MIT
// The scan along two trees, inclusive and exclusive: sums flow up both trees, then prefixes flow down.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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

  ScanPlan(int r, int p, int left_first) {
    const int offset = 1 - p % 2;
    const auto plan = [&](int apart) { return two_trees::plan_of_member(r + offset, p - p % 2, 0, apart); };
    up = plan(left_first).renamed([&](const two_trees::Edge& edge) {
      return edge.covers_last ? none : edge.peer - offset;
    });
    down = plan(0).renamed(
        [&](const two_trees::Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {
      const two_trees::Edge &sum = up.below[color], &other = up.below[1 - color], &to_right = down.below[color];
      mark(left, sum, sum.peer < r);
      mark(right, to_right, to_right.peer > r);
      mark(right_up_first, sum, sum.peer > r && other.peer != none && other.first < sum.first);
      mark(sends_up, up.above[color], true);
      mark(has_prefix, down.above[color], true);
    }
  }

  /// Whether the rank has room of its own for sums of this half, exclusively and inclusively.
  bool keeps_sums(int half, bool exclusive) const {
    const auto h = static_cast<std::size_t>(half);
    return left[h] && right[h] && right_up_first[h] != exclusive;
  }
  /// An inner member of one tree is a leaf of the other.
  int half_of_sums(bool exclusive) const { return keeps_sums(0, exclusive) ? 0 : keeps_sums(1, exclusive) ? 1 : none; }

 private:
  static void mark(std::array<bool, 2>& flags, const two_trees::Edge& edge, bool holds) {
    if (edge.peer != none && holds) flags[static_cast<std::size_t>(edge.half)] = true;
  }
};

/// One rank. Going up, S = (sum L of the left subtree) (+) own input goes on, joined from the right by the right
/// subtree's sum R. Going down, the prefix P goes on to the left child, and P (+) S to the right one. Inclusively, S
/// and then P (+) S is in W; exclusively, L and then P (+) L.
///
/// Nobody applies the operator twice between two steps of a full pipeline, where all would wait. Where L comes before
/// R, this needs, exclusively, room for S, which goes to the right child, too, as P (+) S. Where R comes first, it is
/// joined to the input until L comes. Exclusively, P (+) L is joined to the input after P has left. Inclusively, L has
/// room of its own, and is joined to the input between the two walks; a rank near the root would be late then.
template <bool exclusive, AsyncTransport T>
class TwoTreeScan {
 public:
  /// What passes in a step of the way up or of the way down.
  struct Pass : two_trees::Pass {
    bool up = false;
  };

  TwoTreeScan(T& net, Block V, Block W, const two_trees::Halves& halves, int left_first)
      : net_(net),
        r_(net.rank()),
        V_(V),
        W_(W),
        plan_(net.rank(), net.size(), left_first),
        up_(plan_.up, halves, true),
        down_(plan_.down, halves, false),
        pool_(net, out_, pool_blocks(halves), halves.longest()) {
    if (const int half = plan_.half_of_sums(exclusive); half != none) {
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
  void before(std::int64_t s) {
    if (!exclusive && s == up_.steps && sums_.count > 0) net_.combine(sums_, W_.part(first_sum_, sums_.count));
  }
  Block room(const Pass& in) {
    if (is_left_sum(in) && at(plan_.right_up_first, in) && !exclusive) return sum_at(in);
    return is_result(in) ? in.of(W_) : pool_.take(in.count);
  }

  Block departing(const Pass& out) {
    if (out.up) return pool_.lend(at(plan_.right, out) ? kept_ : sum(out, at(plan_.left, out)));
    if (out.peer > r_) return pool_.lend(prefix_for_right(out));
    if (exclusive) net_.combine(kept_, out.of(W_));
    return pool_.lend(kept_);
  }
  void arrived(const Pass& in, Block block) {
    if (!in.up)
      prefix_arrived(in, block);
    else if (is_left_sum(in))
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
    return plan_.half_of_sums(exclusive) != none ? std::min(3, all - 1) : all;
  }
  /// Exclusively: the left subtree's sum, or the prefix where there is no left subtree.
  bool is_result(const Pass& in) const { return exclusive && (in.up ? in.peer < r_ : !at(plan_.left, in)); }
  bool is_left_sum(const Pass& in) const { return in.up && in.peer < r_; }

  void left_arrived(const Pass& in, Block block) {
    if (at(plan_.right_up_first, in)) {
      net_.combine(block, kept_);
    } else if (!exclusive) {
      net_.combine(block, in.of(W_));
      pool_.give(block);
    } else if (plan_.keeps_sums(in.half, exclusive)) {
      net_.combine(block, in.of(V_), sum_at(in));
    }
  }
  void right_arrived(const Pass& in, Block block) {
    kept_ = block;
    const bool has_sum = !at(plan_.right_up_first, in) && at(plan_.left, in);
    net_.combine(!has_sum ? in.of(V_) : exclusive ? sum_at(in) : in.of(W_), block);
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
    if (!exclusive || !plan_.keeps_sums(out.half, exclusive))
      return sum(out, at(plan_.left, out) || at(plan_.has_prefix, out));
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
  Block sums_;                  // exclusively S, inclusively L of a half
  std::int64_t first_sum_ = 0;  // where that half begins
  ScanPlan plan_;
  two_trees::Walk up_, down_;
  Outbox<T> out_{net_};
  Pool<T> pool_;
};

template <bool exclusive>
struct ByTwoTrees {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const two_trees::Halves cut = halves(net.size(), V.count, params);
    TwoTreeScan<exclusive, T>(net, V, W, cut, left_first(cut, params)).run();
  }

  /// Both walks together: nobody waits for the end of the first before it begins the second.
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const two_trees::Halves cut = halves(p, m, params);
    std::vector<two_trees::Plan> up, down;
    Theorem stated;
    for (int r = 0; r < p; ++r) {
      const ScanPlan plan(r, p, left_first(cut, params));
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
    return std::max(two_trees::scratch(cut), cut.k > 1 ? 3 * cut.longest() + cut.elements(0) : 0);
  }

 private:
  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {4.0 * ceil_log2(p), 4}, true);
  }

  /// How many levels would be late if they joined L to the input between the walks. Every level has more time for it
  /// than the one above, by three steps less what its neighbours are late; in the model 1.7 gives the best trees.
  static int left_first(const two_trees::Halves& cut, const Params& params) {
    if (exclusive) return 0;
    const auto seconds = [&](std::int64_t elements, double per_byte) {
      return static_cast<double>(elements * params.element_bytes) * per_byte;
    };
    const Machine& machine = params.machine;
    const double step = machine.latency + seconds(cut.longest(), machine.per_byte + machine.combine_per_byte);
    return static_cast<int>(
        std::ceil(std::min(30.0, seconds(cut.elements(0), machine.combine_per_byte) / (1.7 * step))));
  }

  static std::int64_t applications(const ScanPlan& plan, const two_trees::Halves& cut) {
    std::int64_t sum = 0;
    for (const int half : {0, 1}) {
      const auto h = static_cast<std::size_t>(half);
      const int left = plan.left[h], right = plan.right[h], up = plan.sends_up[h], prefix = plan.has_prefix[h];
      const int inclusively = left + up * right + prefix + plan.keeps_sums(half, false);
      const int exclusively = plan.keeps_sums(half, true)
                                  ? left + up * right + prefix * (left + right)
                                  : up * (left + right) + prefix * left + right * (left | prefix);
      sum += cut.elements(half) * (exclusive ? exclusively : inclusively);
    }
    return sum;
  }
};

}  // namespace mpigraft::scan
