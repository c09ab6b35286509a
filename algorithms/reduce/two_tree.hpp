// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_any_root.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce {

/// One rank of the walk upwards. A block's partial sum starts as the own input; a child of lower rank joins it from the
/// left, one of higher rank from the right. A block begins before the previous one of its half has left, so there are
/// two partial sums per half.
template <Transport T>
class TwoTreeReduce {
 public:
  using Pass = two_trees::Pass;

  TwoTreeReduce(T& net, Block V, Block W, int root, const two_trees::Halves& halves)
      : net_(net), r_(net.rank()), root_(root), V_(V), W_(W), arrived_(net.scratch(halves.longest())) {
    for (const int half : {0, 1})
      for (std::int64_t i = 0; i < std::min<std::int64_t>(2, halves.blocks(half).b); ++i)
        sum_of({.half = half, .index = i}).block = net.scratch(halves.longest());
  }

  void step(const Pass& in, const Pass& out) {
    const Block sum = take(out);
    const bool is_result = r_ == root_ && two_trees::is_between(root_, net_.size());
    net_.sendrecv(sum, out.peer, is_result ? in.of(W_) : in.in(arrived_), in.peer);
    if (in.peer == none || is_result) return;
    if (r_ == root_)
      finish(in);
    else
      join(in);
  }

 private:
  struct Sum {
    Block block = {};
    bool started = false;
  };

  Sum& sum_of(const Pass& pass) {
    return sums_[static_cast<std::size_t>(pass.half)][static_cast<std::size_t>(pass.index % 2)];
  }

  Block take(const Pass& out) {
    if (out.peer == none) return V_;
    return std::exchange(sum_of(out).started, false) ? out.in(sum_of(out).block) : out.of(V_);
  }

  void join(const Pass& in) {
    Sum& sum = sum_of(in);
    const Block arrived = in.in(arrived_), before = sum.started ? in.in(sum.block) : in.of(V_);
    if (in.peer > r_) {
      net_.combine(before, arrived);
      std::swap(sum.block, arrived_);
    } else {
      net_.combine(arrived, before, in.in(sum.block));
    }
    sum.started = true;
  }

  /// At a root before or behind all others. The input may be the result's memory.
  void finish(const Pass& in) {
    const Block arrived = in.in(arrived_);
    if (root_ > 0) return net_.combine(arrived, in.of(V_), in.of(W_));
    net_.combine(in.of(V_), arrived);
    net_.copy(arrived, in.of(W_));
  }

  T& net_;
  int r_, root_;
  Block V_, W_;
  Block arrived_;
  std::array<std::array<Sum, 2>, 2> sums_ = {};  // per half, of even and of odd blocks
};

/// The broadcast's schedule walked backwards, where the root is rank 0 or p-1; towards any other root, two trees in
/// which it is a leaf. Rank order is kept. Sanders, Speck, Traeff have 2q+2k-2 steps for a root at an end.
struct two_tree {
  template <Transport T>
  static void run(T& net, Block V, Block W, const Params& params) {
    using namespace two_trees;
    const int p = net.size(), r = net.rank();
    if (p == 1) return net.copy(V, W);
    const Halves cut = halves(p, V.count, params);
    TwoTreeReduce<T> reduction(net, V, W, params.root, cut);
    upwards(plan(r, p, params.root), cut, [&](const Pass& in, const Pass& out) { reduction.step(in, out); });
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace two_trees;
    const int root = params.root;
    const Halves cut = halves(p, m, params);
    const std::vector<Plan> plans = all_plans(p, [&](int r) { return plan(r, p, root); });
    Theorem stated{.rounds = rounds(plans, cut)};
    for (int r = 0; r < p; ++r) {
      const Plan& plan = plans[static_cast<std::size_t>(r)];
      const std::int64_t received = volume(plan.below, cut);
      stated.sent = std::max(stated.sent, volume(plan.above, cut));
      stated.received = std::max(stated.received, received);
      stated.applications_last = r == root && is_between(root, p) ? 0 : received;
      stated.applications = std::max(stated.applications, stated.applications_last);
    }
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const two_trees::Halves cut = halves(p, m, params);
    return cut.longest() *
           (1 + std::min<std::int64_t>(2, cut.blocks(0).b) + std::min<std::int64_t>(2, cut.blocks(1).b));
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Sanders, Speck, Traeff 2009, section 2; roots between others: own",
      .summary = "two trees, each pipelines one half of the vector: full bandwidth, rank order kept for every root",
      .rounds = "2q+2k-2 for k blocks per half, 1 more for even p; at most 4q+2k towards roots between others",
      .pipelined = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {2.0 * ceil_log2(p), 2}, true);
  }
  static two_trees::Plan plan(int r, int p, int root) {
    if (two_trees::is_between(root, p)) return two_trees::plans_towards(p, root)[static_cast<std::size_t>(r)];
    const auto mirror = [&](int v) { return root == 0 ? v : p - 1 - v; };
    return two_trees::plan_below_root(mirror(r), p).renamed([&](const two_trees::Edge& edge) {
      return mirror(edge.peer);
    });
  }
};

}  // namespace mpigraft::reduce
