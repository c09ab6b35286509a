// SPDX-License-Identifier: MIT
// The scan along two trees, inclusive and exclusive: sums flow up both trees, then prefixes flow down.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree_scan.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// One rank. Going up, S = L (+) x goes on, with L the sum of the left subtree, joined from the right by the right
/// subtree's sum R. Going down, the prefix P goes on to the left child, and P (+) S to the right one.
///
/// Nobody applies the operator twice between two steps of a full pipeline, where all would wait. Where R comes before
/// L, it is joined to the input until L comes; inclusively, L is then joined to the input between the two walks.
template <bool exclusive>
class TwoTreeScan {
 public:
  TwoTreeScan(Program& net, const two_trees::Halves& halves, int left_first)
      : net_(net), r_(net.rank()), halves_(halves), plan_(net.rank(), net.size(), left_first) {
    net.overlap(halves.k > 1 ? Overlap::all : Overlap::sends);
    for (const int half : {0, 1})
      for (std::int64_t i = 0; i < halves.blocks(half).b; ++i) {
        const Blocks cut = halves.blocks(half);
        const std::int64_t first = (half == 0 ? 0 : halves.elements(0)) + cut.first(i);
        const Value x = net.input(first, cut.count(i));
        blocks_[static_cast<std::size_t>(half)].push_back({first, x, exclusive ? nothing : x});
      }
  }

  void run() {
    const two_trees::Walk up(plan_.up, halves_, true), down(plan_.down, halves_, false);
    for (std::int64_t s = 0; s < up.steps; ++s) {
      net_.begin_round();
      if (const Pass out = up.out(s); out.peer != none) net_.send(total(out), out.peer);
      if (const Pass in = up.in(s); in.peer != none) sum_arrived(in, net_.recv(in.peer, in.count));
    }
    for_all([this](Block& block) {
      if (!exclusive && block.late_L) block.W = net_.combine(block.late_L, block.x);
    });
    for (std::int64_t s = 0; s < down.steps; ++s) {
      net_.begin_round();
      if (const Pass out = down.out(s); out.peer != none) pass_down(out);
      if (const Pass in = down.in(s); in.peer != none) prefix_arrived(in, net_.recv(in.peer, in.count));
    }
    for_all([this](Block& block) { net_.result(block.W, block.first); });
  }

 private:
  using Pass = two_trees::Pass;

  /// W: inclusively S and then P (+) S, exclusively L and then P (+) L.
  struct Block {
    std::int64_t first;
    Value x, W;
    Value S = {}, sum = {}, late_L = {}, P = {};
  };
  Block& at(const Pass& pass) {
    return blocks_[static_cast<std::size_t>(pass.half)][static_cast<std::size_t>(pass.index)];
  }
  static bool is(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }
  template <class F>
  void for_all(F f) {
    for (auto& half : blocks_)
      for (Block& block : half) f(block);
  }

  void sum_arrived(const Pass& in, Value arrived) {
    Block& block = at(in);
    const bool right_first = is(plan_.right_up_first, in);
    if (in.peer > r_) {  // R
      const Value lower = right_first || !is(plan_.left, in) ? block.x : exclusive ? block.S : block.W;
      block.sum = net_.combine(lower, arrived);
    } else {  // L
      if (right_first) block.sum = net_.combine(arrived, block.sum);
      if (exclusive)
        block.W = arrived;
      else if (right_first)
        block.late_L = arrived;
      else
        block.W = net_.combine(arrived, block.x);
      if (exclusive && plan_.keeps_sums(in.half, true)) block.S = net_.combine(arrived, block.x);
    }
  }
  Value total(const Pass& out) {
    Block& block = at(out);
    if (block.sum) return block.sum;
    return exclusive ? net_.combine(block.W, block.x) : block.W;
  }
  void prefix_arrived(const Pass& in, Value P) {
    at(in).P = P;
    if (!exclusive || !is(plan_.left, in)) at(in).W = net_.combine(P, at(in).W);
  }
  void pass_down(const Pass& out) {
    Block& block = at(out);
    if (out.peer < r_) {
      if (exclusive) block.W = net_.combine(block.P, block.W);  // while the send before is still under way
      net_.send(block.P, out.peer);
    } else {
      net_.send(!exclusive ? block.W
                : block.S  ? net_.combine(block.P, block.S)
                           : net_.combine(block.W, block.x),
                out.peer);
    }
  }

  Program& net_;
  const int r_;
  const two_trees::Halves halves_;
  const two_trees::ScanPlan plan_;
  std::array<List<Block>, 2> blocks_;
};

template <class A, bool exclusive>
struct ByTwoTrees {
  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {4.0 * ceil_log2(p), 4}, true);
  }

  /// Number of uppermost levels that would be late if they joined L to the input between the walks. Every level has
  /// more time for it than the one above, by three steps less what its neighbours are late; in the model 1.7 steps give
  /// the best trees.
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

  static void text(Program& net) {
    const two_trees::Halves cut = halves(net.size(), net.length(), net.params());
    TwoTreeScan<exclusive>(net, cut, left_first(cut, net.params())).run();
  }
};

}  // namespace mpigraft::prefix
