// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/prefix/tree_sums.hpp"

namespace mpigraft::two_trees {

/// A rank's part in a scan along two trees, in which sums flow up and then prefixes down.
/// The trees have an even number of members, in rank order. For odd p rank 0 is above both, and feeds them with its
/// input as the prefix of all. Two kinds of edges stay silent, because nobody needs what they would pass: a sum that
/// includes the last rank and, for even p, the prefix of a subtree that includes the first.
struct ScanPlan {
  Plan up, down;
  /// The right subtree's sum comes before the left one's, and the prefix goes to the left before the right.
  bool right_is_first = false;

  ScanPlan(int r, int p, int left_first) {
    const int offset = 1 - p % 2;
    const auto plan = [&](int apart) { return plan_of_member(r + offset, p - p % 2, 0, apart); };
    up = plan(left_first).renamed([&](const Edge& edge) { return edge.covers_last ? none : edge.peer - offset; });
    down =
        plan(0).renamed([&](const Edge& edge) { return edge.covers_first && offset == 1 ? none : edge.peer - offset; });
    for (const std::size_t color : {0, 1}) {  // it has children in one of the trees
      const Edge &sum = up.below[color], &other = up.below[1 - color];
      right_is_first |= sum.peer > r && other.peer != none && other.first < sum.first;
    }
  }
};

}  // namespace mpigraft::two_trees

namespace mpigraft::prefix {

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

/// Two in-order trees, each pipelines one half of the vector; an inner rank of one is a leaf of the other. Sums go up,
/// then prefixes down, as prefix/tree_sums.hpp says. Both ways together take fewer than their 2q+2k-2 steps each, since
/// no rank waits where it has nothing to do.
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
  using namespace two_trees;
  const int r = net.rank();
  const Halves cut = halves_on_trees(net.size(), net.length(), net.params(), 2, true);
  const ScanPlan plan(r, net.size(), left_first(exclusive, cut, net.params()));
  const Walk up(plan.up, cut, true), down(plan.down, cut, false);
  PerBlock<TreeSums> blocks(cut);
  net.overlap(cut.k > 1 ? Overlap::all : Overlap::sends);
  blocks.for_each([&](TreeSums& sums, std::int64_t first, std::int64_t count) { sums.x = net.input(first, count); });
  const auto total = [&](const Pass& out) { return blocks[out].total(net, plan.right_is_first); };
  up.go(net, total, [&](const Pass& in, Value sum) {
    (in.peer < r ? blocks[in].L : blocks[in].R) = sum;
    total(in);  // made as soon as it can be
  });
  // Nobody applies the operator twice between two steps, where all would wait. So where R came first, L waits until
  // now.
  if (!exclusive) blocks.for_each([&](TreeSums& sums, std::int64_t, std::int64_t) { sums.result(net, exclusive); });
  const auto prefix = [&](const Pass& out) {
    if (out.peer > r) return blocks[out].through(net, exclusive, plan.right_is_first);
    blocks[out].result(net, exclusive);  // while the send before is still under way
    return blocks[out].P;
  };
  down.go(net, prefix, [&](const Pass& in, Value P) {
    blocks[in].P = P;
    if (!exclusive || !blocks[in].L) blocks[in].result(net, exclusive);
  });
  blocks.for_each(
      [&](const TreeSums& sums, std::int64_t first, std::int64_t) { net.result(sums.result(net, exclusive), first); });
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
