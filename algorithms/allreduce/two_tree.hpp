// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/reduce/along_two_trees.hpp"

namespace mpigraft::allreduce {

/// Sums of either half flow up its tree as in a reduction, and the total flows down as in a broadcast. An inner rank of
/// one tree is a leaf of the other. A rank begins the way down without waiting for the end of the way up.
///
/// Example: p = 8, m = 2. 0-2[0]>3 is x_0 (+) x_1 (+) x_2 of element 0, sent to rank 3.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                        3[1]>2    4[0]>5                        7[1]>6
///       2            1[1]>2                                  5[1]>6    6[0]>5
///       3                      1-3[1]>4                      4-6[0]>3
///       4                      2[0]>1                                  5-7[1]>4
///       5            0-2[0]>3                      1-7[1]>0
///       6  0-7[1]>4                      0-6[0]>7
///       7                                          0-7[1]>6                      0-7[0]>3
///       8                                0-7[0]>1
///       9            0-7[0]>2            0-7[0]>5
///      10            0-7[0]>0                      0-7[1]>2  0-7[0]>6  0-7[1]>5
///      11                      0-7[1]>1                      0-7[0]>4  0-7[1]>7
///      12                      0-7[1]>3
struct two_tree {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size();
    if (p == 1) return net.copy(V, W);
    Rank<T>(net, V, W, two_trees::plan_among_all(net.rank(), p), halves(p, V.count, params)).run();
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace two_trees;
    const Halves cut = halves(p, m, params);
    const std::vector<Plan> plans = all_plans(p, [&](int r) { return plan_among_all(r, p); });
    Clocks clocks(plans.size(), cut);
    clocks.walk(plans, true);
    clocks.walk(plans, false);
    Theorem stated{.rounds = clocks.latest()};
    for (const Plan& plan : plans) {
      stated.applications_last = volume(plan.below, cut);
      stated.applications = std::max(stated.applications, stated.applications_last);
      stated.sent = std::max(stated.sent, volume(plan.above, cut) + volume(plan.below, cut));
    }
    stated.received = stated.sent;
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return two_trees::scratch(halves(p, m, params));
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allreduce,
      .paper = "Sanders, Speck, Traeff 2009, section 2; roots without a rank above: own",
      .summary = "two trees, each pipelines one half of the vector: sums up, then totals down, rank order kept",
      .rounds = "at most 4q+4k-4 for k blocks per half",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .same_on_all_ranks = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {4.0 * ceil_log2(p), 4}, true);
  }

  /// The steps up, and then those down.
  template <AsyncTransport T>
  class Rank {
   public:
    struct Pass : two_trees::Pass {
      bool up = false;
    };

    Rank(T& net, Block V, Block W, const two_trees::Plan& plan, const two_trees::Halves& halves)
        : net_(net), V_(V), W_(W), up_(net, out_, V, W, plan, halves), down_(plan, halves, false) {}

    void run() { run_steps(net_, out_, up_.steps + down_.steps, *this, up_.halves.k > 1); }

    Pass in(std::int64_t s) const { return s < up_.steps ? Pass{up_.in(s), true} : Pass{down_.in(s - up_.steps)}; }
    Pass out(std::int64_t s) const { return s < up_.steps ? Pass{up_.out(s), true} : Pass{down_.out(s - up_.steps)}; }
    Block room(const Pass& in) {
      if (in.up || goes_aside(in)) return up_.room(in);
      out_.finish(in.of(V_));
      return in.of(W_);
    }
    Block departing(const Pass& out) { return out.up ? up_.departing(out) : out.of(W_); }
    void arrived(const Pass& in, Block block) {
      if (in.up) return up_.arrived(in, block);
      if (!goes_aside(in)) return;
      out_.finish(in.of(V_));
      net_.copy(block, in.of(W_));
      up_.give(block);
    }

   private:
    /// Block 0 is the last of the way up and the first of the way down. It is expected while its input, which may be in
    /// the result's memory, is still in use, and so is received beside the result.
    bool goes_aside(const Pass& in) const { return up_.halves.k > 1 && in.index == 0; }

    T& net_;
    const Block V_, W_;
    Outbox<T> out_{net_};
    reduce::TwoTreeSums<T> up_;
    const two_trees::Walk down_;
  };
};

}  // namespace mpigraft::allreduce
