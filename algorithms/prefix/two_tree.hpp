// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::two_trees {

/// A rank's part in a scan along two trees, in which sums flow up and then prefixes down.
/// The trees have an even number of members, in rank order. For odd p rank 0 is above both, and feeds them with its
/// input as the prefix of all. Two kinds of edges stay silent, because nobody needs what they would pass: a sum that
/// includes the last rank and, for even p, the prefix of a subtree that includes the first.
struct ScanPlan {
  Plan up, down;
  std::array<bool, 2> left = {}, right = {}, sends_up = {}, has_prefix = {};  // per half
  /// True if the right subtree's sum comes before the left one's, and the prefix goes to the left before the right.
  std::array<bool, 2> right_up_first = {};

  ScanPlan(int r, int p, int left_first) {
    const int offset = 1 - p % 2;
    const auto plan = [&](int apart) { return plan_of_member(r + offset, p - p % 2, 0, apart); };
    up = plan(left_first).renamed([&](const Edge& edge) { return edge.covers_last ? none : edge.peer - offset; });
    down =
        plan(0).renamed([&](const Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {
      const Edge &sum = up.below[color], &other = up.below[1 - color], &to_right = down.below[color];
      mark(left, sum, sum.peer < r);
      mark(right, to_right, to_right.peer > r);
      mark(right_up_first, sum, sum.peer > r && other.peer != none && other.first < sum.first);
      mark(sends_up, up.above[color], true);
      mark(has_prefix, down.above[color], true);
    }
  }

  /// True if the rank has room of its own for sums of this half, in the exclusive or the inclusive scan.
  bool keeps_sums(int half, bool exclusive) const {
    const auto h = static_cast<std::size_t>(half);
    return left[h] && right[h] && right_up_first[h] != exclusive;
  }

 private:
  static void mark(std::array<bool, 2>& flags, const Edge& edge, bool holds) {
    if (edge.peer != none && holds) flags[static_cast<std::size_t>(edge.half)] = true;
  }
};

}  // namespace mpigraft::two_trees

namespace mpigraft::prefix {

/// One rank. Going up, S = L (+) x goes on, with L the sum of the left subtree, joined from the right by the right
/// subtree's sum R. Going down, the prefix P goes on to the left child, and P (+) S to the right one.
///
/// Nobody applies the operator twice between two steps of a full pipeline, where all would wait. Where R comes before
/// L, it is joined to the input until L comes; inclusively, L is then joined to the input between the two walks.
class TwoTreeScan {
 public:
  TwoTreeScan(Program& net, bool exclusive, const two_trees::Halves& halves, int left_first)
      : net_(net),
        exclusive_(exclusive),
        r_(net.rank()),
        halves_(halves),
        plan_(net.rank(), net.size(), left_first),
        blocks_(halves) {
    net.overlap(halves.k > 1 ? Overlap::all : Overlap::sends);
    blocks_.for_each([&](Block& block, std::int64_t first, std::int64_t count) {
      block.x = net.input(first, count);
      if (!exclusive) block.W = block.x;
    });
  }

  void run() {
    const two_trees::Walk up(plan_.up, halves_, true), down(plan_.down, halves_, false);
    up.go(
        net_, [this](const Pass& out) { return total(out); },
        [this](const Pass& in, Value sum) { sum_arrived(in, sum); });
    blocks_.for_each([this](Block& block, std::int64_t, std::int64_t) {
      if (!exclusive_ && block.late_L) block.W = net_.combine(block.late_L, block.x);
    });
    down.go(
        net_, [this](const Pass& out) { return passed_down(out); },
        [this](const Pass& in, Value prefix) { prefix_arrived(in, prefix); });
    blocks_.for_each([this](const Block& block, std::int64_t first, std::int64_t) { net_.result(block.W, first); });
  }

 private:
  using Pass = two_trees::Pass;

  /// W: inclusively S and then P (+) S, exclusively L and then P (+) L.
  struct Block {
    Value x, W, S, sum, late_L, P;
  };
  static bool is(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }

  void sum_arrived(const Pass& in, Value arrived) {
    Block& block = blocks_[in];
    const bool right_first = is(plan_.right_up_first, in);
    if (in.peer > r_) {  // R
      const Value lower = right_first || !is(plan_.left, in) ? block.x : exclusive_ ? block.S : block.W;
      block.sum = net_.combine(lower, arrived);
    } else {  // L
      if (right_first) block.sum = net_.combine(arrived, block.sum);
      if (exclusive_)
        block.W = arrived;
      else if (right_first)
        block.late_L = arrived;
      else
        block.W = net_.combine(arrived, block.x);
      if (exclusive_ && plan_.keeps_sums(in.half, true)) block.S = net_.combine(arrived, block.x);
    }
  }
  Value total(const Pass& out) {
    Block& block = blocks_[out];
    if (block.sum) return block.sum;
    return exclusive_ ? net_.combine(block.W, block.x) : block.W;
  }
  void prefix_arrived(const Pass& in, Value P) {
    blocks_[in].P = P;
    if (!exclusive_ || !is(plan_.left, in)) blocks_[in].W = net_.combine(P, blocks_[in].W);
  }
  Value passed_down(const Pass& out) {
    Block& block = blocks_[out];
    if (out.peer < r_) {
      if (exclusive_) block.W = net_.combine(block.P, block.W);  // while the send before is still under way
      return block.P;
    }
    if (!exclusive_) return block.W;
    return block.S ? net_.combine(block.P, block.S) : net_.combine(block.W, block.x);
  }

  Program& net_;
  const bool exclusive_;
  const int r_;
  const two_trees::Halves halves_;
  const two_trees::ScanPlan plan_;
  two_trees::PerBlock<Block> blocks_;
};

/// Number of uppermost levels that would be late if they joined L to the input between the walks. Every level has
/// more time for it than the one above, by three steps less what its neighbours are late; in the model 1.7 steps give
/// the best trees.
inline int left_first(bool exclusive, const two_trees::Halves& cut, const Params& params) {
  if (exclusive) return 0;
  const auto seconds = [&](std::int64_t elements, double per_byte) {
    return static_cast<double>(elements * params.element_bytes) * per_byte;
  };
  const Machine& machine = params.machine;
  const double step = machine.latency + seconds(cut.longest(), machine.per_byte + machine.combine_per_byte);
  return static_cast<int>(std::ceil(std::min(30.0, seconds(cut.elements(0), machine.combine_per_byte) / (1.7 * step))));
}

/// Two in-order trees, each pipelines one half of the vector; an inner rank of one is a leaf of the other. L and R are
/// the sums of a rank's subtrees, P is that of all ranks before them:
///   way up    receives L from the left, R from the right child; sends L (+) x (+) R to the parent
///   way down  receives P from the parent; sends P to the left, P (+) L (+) x to the right child
/// and keeps P (+) L (+) x, in an exclusive scan P (+) L. Both ways together take fewer than their 2q+2k-2 steps each,
/// since no rank waits where it has nothing to do.
///
/// Example: p = 8, m = 2. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                        3[1]>2    4[0]>5
///       2            1[1]>2    2[0]>1                                  6[0]>5
///       3                      1-3[1]>4                      4-6[0]>3
///       4  0[1]>4    0-2[0]>3                                5[1]>6
///       5            0-1[0]>2            0-6[0]>7  0-4[1]>6
///       6                                0-3[0]>5  0[1]>2
///       7                      0[1]>1                        0-5[0]>6  0-4[1]>5
///       8                      0-2[1]>3                      0-3[0]>4  0-6[1]>7
///
/// Example, exclusive: p = 8, m = 2. 0-2[1]>4 is x_0 (+) x_1 (+) x_2 of element 1, sent to rank 4.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6    rank 7
///       1  0[0]>1                        3[1]>2    4[0]>5
///       2            1[1]>2                                  5[1]>6    6[0]>5
///       3                      1-3[1]>4                      4-6[0]>3
///       4  0[1]>4              2[0]>1
///       5            0-2[0]>3                      0-4[1]>6
///       6            0-1[0]>2            0-6[0]>7
///       7                                0-3[0]>5  0[1]>2
///       8                      0[1]>1                        0-5[0]>6  0-4[1]>5
///       9                      0-2[1]>3                      0-3[0]>4  0-6[1]>7
template <bool exclusive>
void two_tree(Program& net) {
  const two_trees::Halves cut = two_trees::halves_on_trees(net.size(), net.length(), net.params(), 2, true);
  TwoTreeScan(net, exclusive, cut, left_first(exclusive, cut, net.params())).run();
}

template <bool exclusive>
inline constexpr AlgorithmInfo two_tree_info{
    .paper = exclusive ? "Sanders, Speck, Traeff 2009, section 4.3; exclusive form own"
                       : "Sanders, Speck, Traeff 2009, section 4.3",
    .summary = "two in-order trees, each pipelines one half of the vector: sums up, then prefixes down",
    .rounds = exclusive ? "at most 4q+4k-6 for k blocks per half" : "at most 5q+4k-6 for k blocks per half",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .varies_with_blocks = !exclusive,
};

}  // namespace mpigraft::prefix
