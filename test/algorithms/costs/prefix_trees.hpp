// SPDX-License-Identifier: MIT
// Costs of the scans on in-order trees, and along two of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/patterns/tree_slots.hpp"
#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"
#include "algorithms/prefix/pipelined_binary_tree.hpp"
#include "algorithms/prefix/smp_tree_b.hpp"
#include "algorithms/prefix/two_tree.hpp"
#include "test/algorithms/costs/cost.hpp"
#include "test/algorithms/costs/two_trees.hpp"

namespace mpigraft::prefix::costs {

/// Maximum over ranks, for one block, of the messages sent, of those received, and of the combinations of an inclusive
/// scan. Three (L, R and P) need an inner rank on neither the leftmost nor the rightmost path. Otherwise the root's
/// left child has two, the root one.
constexpr int most_messages(int p) { return p >= 8 ? 3 : p >= 4 ? 2 : p >= 2 ? 1 : 0; }

/// The paper's 3(b-1)+4n-2 is reached by complete trees of height n >= 3. Otherwise the last total to the root comes
/// first, then a prefix goes down its right tree, or that of its left child, which is complete. With fewer than 8 ranks
/// nobody has three messages to pass per block, and a block follows the one before it sooner than in its slots.
constexpr std::int64_t doubly_pipelined_rounds(int p, std::int64_t b) {
  if (p <= 1) return 0;
  const int n = in_order_tree::height(p), rest = p - in_order_tree::floor_power(p);
  return most_messages(p) * (b - 1) +
         std::max({2 * n - 1, 4 * n - 6, rest > 0 ? 2 * n + in_order_tree::way_down(rest) : 0});
}

/// Cost for given rounds. Rank p-1 has no right child and sends nothing up; it has a left child where p is even, and
/// a prefix where p is no power of two. An exclusive scan combines L, x, R, P in the full case, and one pair less where
/// P or R is missing; rank p-1 combines only P with L.
inline Cost on_tree(bool exclusive, int p, std::int64_t m, std::int64_t rounds) {
  const bool has_left = p % 2 == 0, has_prefix = !std::has_single_bit(static_cast<unsigned>(p));
  const int n = most_messages(p);
  return cost_in(rounds, Tally{exclusive ? n + (p >= 4) - (p == 2) : n, n, n} * m,
                 m * (exclusive ? has_left && has_prefix : has_left + has_prefix));
}

/// The paper's ranks send or receive, and take 6(b-1)+4n-2 rounds on the complete tree of height n. Here they send and
/// receive at once, so that a block follows the one before it after two rounds instead of three in either phase.
///
/// All totals have reached the root's level after 2n-1+2(b-1) rounds (b where n = 1). Then the last prefix travels to
/// the right of the root in 1 round and down by way_down, one block in two rounds as soon as a rank on the way has two
/// children. At the same time it travels to the right of the root's left child, whose tree is complete.
constexpr std::int64_t two_phase_rounds(int p, std::int64_t b) {
  if (p <= 1) return 0;
  const int n = in_order_tree::height(p), rest = p - in_order_tree::floor_power(p);
  const std::int64_t up = n == 1 ? b : 2 * n - 1 + 2 * (b - 1);
  const auto down = [b](int size) {
    return size == 0 ? 0 : 1 + in_order_tree::way_down(size) + (size > 2 ? 2 : 1) * (b - 1);
  };
  return up + std::max(down(rest), n > 1 ? down((1 << (n - 1)) - 1) : 0);
}

inline Cost doubly_pipelined_binary_tree(bool exclusive, int p, std::int64_t m, const Params& params) {
  return on_tree(exclusive, p, m,
                 doubly_pipelined_rounds(p, doubly_pipelined_blocks(in_order_tree::height(p), m, params)));
}

inline Cost pipelined_binary_tree(bool exclusive, int p, std::int64_t m, const Params& params) {
  return on_tree(exclusive, p, m, two_phase_rounds(p, blocks_in_two_phases(p, m, params)));
}

inline Cost binary_tree(int p, std::int64_t m, const Params&) { return on_tree(false, p, m, two_phase_rounds(p, 1)); }

/// Rounds of b blocks, slot by slot.
inline int rounds_on_tree(const std::vector<in_order_tree::Place>& places, int height, std::int64_t b) {
  two_trees::Clocks clocks(places.size());
  std::vector<two_trees::Clocks::Message> messages;
  for (std::int64_t slot = 1; slot <= 3 * (b - 1) + 4 * height - 2; ++slot, messages.clear()) {
    for (int r = 0; const auto& v : places) {
      const tree_slots::Edge out = tree_slots::plan(v, height).out[static_cast<std::size_t>(slot % 3)];
      if (out.block(slot, b) != none) messages.push_back({r, out.peer});
      ++r;
    }
    clocks.step(messages, b > 1);
  }
  return clocks.latest();
}

/// Messages and applications of one block at a place.
constexpr Tally tally_of(bool exclusive, const in_order_tree::Place& v) {
  const bool left = v.left != none, right = v.right != none, up = v.sends_up(), prefix = v.has_prefix();
  const int total = !up ? 0 : exclusive ? right + left : right;
  const int results = exclusive ? (prefix && left) + (right && (left || prefix)) : left + prefix;
  return {total + results, up + (left && prefix) + right, left + (right && up) + prefix};
}

template <class Tree>
Cost smp_tree(bool exclusive, int p, std::int64_t m, const Params& params) {
  const Nodes nodes(p, params);
  std::vector<in_order_tree::Place> places;
  for (int r = 0; r < p; ++r) places.push_back(Tree::place(r, nodes));
  const int height = Tree::height(nodes);
  return over_ranks(rounds_on_tree(places, height, doubly_pipelined_blocks(height, m, params)), p,
                    [&](int r) { return tally_of(exclusive, places[static_cast<std::size_t>(r)]) * m; });
}

/// True if an edge of this half passes something, to a rank for which `holds`.
inline bool has_edge(const std::array<two_trees::Edge, 2>& edges, int half, auto holds) {
  return std::ranges::any_of(
      edges, [&](const two_trees::Edge& edge) { return edge.half == half && edge.peer != none && holds(edge.peer); });
}

/// A rank keeps L (+) x for the way down where L comes before R in an exclusive scan, and after it in an inclusive one.
inline std::int64_t applications(bool exclusive, int r, const two_trees::ScanPlan& plan, const two_trees::Halves& cut) {
  const auto any = [](int) { return true; };
  std::int64_t sum = 0;
  for (const int half : {0, 1}) {
    const int left = has_edge(plan.up.below, half, [r](int peer) { return peer < r; });
    const int right = has_edge(plan.down.below, half, [r](int peer) { return peer > r; });
    const int up = has_edge(plan.up.above, half, any), prefix = has_edge(plan.down.above, half, any);
    const bool keeps = left && right && plan.right_is_first != exclusive;
    const int inclusively = left + up * right + prefix + keeps;
    const int exclusively = keeps ? left + up * right + prefix * (left + right)
                                  : up * (left + right) + prefix * left + right * (left | prefix);
    sum += cut.elements(half) * (exclusive ? exclusively : inclusively);
  }
  return sum;
}

/// Both walks together: nobody waits for the end of the first before it begins the second.
inline Cost two_tree(bool exclusive, int p, std::int64_t m, const Params& params) {
  const two_trees::Halves cut = two_trees::halves_on_trees(p, m, params, 2, true);
  std::vector<two_trees::Plan> up, down;
  Cost stated;
  for (int r = 0; r < p; ++r) {
    const two_trees::ScanPlan plan(r, p, left_first(exclusive, cut, params));
    take_in(stated, {applications(exclusive, r, plan, cut),
                     two_trees::volume(plan.up.above, cut) + two_trees::volume(plan.down.below, cut),
                     two_trees::volume(plan.up.below, cut) + two_trees::volume(plan.down.above, cut)});
    up.push_back(plan.up);
    down.push_back(plan.down);
  }
  two_trees::Clocks clocks(up.size());
  clocks.walk(up, cut, true);
  clocks.walk(down, cut, false);
  stated.rounds = clocks.latest();
  return stated;
}

}  // namespace mpigraft::prefix::costs
