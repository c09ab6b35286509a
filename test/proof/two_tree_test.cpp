// SPDX-License-Identifier: MIT
// Schedules on two trees and on two chains, for all numbers of ranks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "algorithms/patterns/two_chains.hpp"
#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/patterns/two_tree_any_root.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"

using namespace mpigraft;
using namespace mpigraft::two_trees;

namespace {

constexpr int most_ranks = 4096;
using Edges = std::array<Edge, 2>;

const Edge* of_half(const Edges& edges, int half) {
  for (const Edge& edge : edges)
    if (edge.peer != none && edge.half == half) return &edge;
  return nullptr;
}

/// True if the parent knows the edge too, and has every block before it passes: by induction, the root's blocks come to
/// r.
bool is_fed(const std::vector<Plan>& plans, int r, int half, int root) {
  const Edge* up = of_half(plans[static_cast<std::size_t>(r)].above, half);
  if (!up) return false;
  const Plan& parent = plans[static_cast<std::size_t>(up->peer)];
  const bool is_mutual = std::any_of(parent.below.begin(), parent.below.end(), [&](const Edge& down) {
    return down.peer == r && down.half == half && down.first == up->first;
  });
  const Edge* before = of_half(parent.above, half);
  return is_mutual && (up->peer == root || (before && before->first < up->first));
}

/// True if edges are in the places of their colours: a plan has one place for each colour at each port.
bool has_right_colors(const Plan& plan) {
  for (const Edges* edges : {&plan.above, &plan.below})
    for (const int color : {0, 1}) {
      const Edge& edge = (*edges)[static_cast<std::size_t>(color)];
      if (edge.peer != none && (edge.first < 1 || edge.first % 2 != color)) return false;
    }
  return true;
}

int count(const Edges& edges) { return (edges[0].peer != none) + (edges[1].peer != none); }

/// The last step for one block per half, if both halves reach all ranks (the root only if it is a leaf as well);
/// otherwise `none`.
int steps_of(const std::vector<Plan>& plans, int root, bool root_is_leaf) {
  int last = 0, above = 0, below = 0;
  for (int r = 0; r < static_cast<int>(plans.size()); ++r) {
    const Plan& plan = plans[static_cast<std::size_t>(r)];
    if (!has_right_colors(plan)) return none;
    above += count(plan.above);
    below += count(plan.below);
    if (r == root && !root_is_leaf) continue;
    for (const int half : {0, 1}) {
      if (!is_fed(plans, r, half, root)) return none;
      last = std::max(last, of_half(plan.above, half)->first);
    }
  }
  return above == below ? last : none;
}

}  // namespace

TEST_CASE("trees below a root: coloured, complete, and as low as stated") {
  for (int p = 2; p <= most_ranks; ++p) {
    CAPTURE(p);
    const int steps = steps_of(all_plans(p, [&](int v) { return plan_below_root(v, p); }), 0, false);
    const int relay = p % 2 == 0, members = p - 1 - relay;
    REQUIRE(steps == 2 * ceil_log2(p) + relay - (members % 4 == 0));
  }
}

TEST_CASE("an inner member of one tree is a leaf of the other") {
  for (int n = 2; n <= most_ranks; n += 2)
    for (int i = 1; i <= n; ++i) {
      const auto a = Tree{0, n, 0}.children(i), b = Tree{1, n, 0}.children(i);
      if (a[0] + a[1] > 0 && b[0] + b[1] > 0) FAIL("member " << i << " of " << n);
    }
}

TEST_CASE("trees towards a root between others: coloured, complete, and low") {
  for (int p = 3; p <= most_ranks; ++p)
    for (const int root : p < 512 ? std::set{1, p / 3 + 1, p / 2, p - 2} : std::set{p / 3 + p % 7}) {
      if (!is_between(root, p)) continue;
      CAPTURE(p, root);
      AnyRoot trees(p, root);
      const int steps = steps_of(all_plans(p, [&](int r) { return trees.plan(r); }), root, true);
      REQUIRE(steps != none);
      REQUIRE(steps <= 4 * ceil_log2(p) + 2);
    }
}

TEST_CASE("two chains towards a root between others: coloured, complete, and as long as stated") {
  for (int p = 3; p <= most_ranks; p += p < 200 ? 1 : 97)
    for (int root = 1; root < p - 1; root += p < 100 ? 1 : p / 5) {
      const TwoChains chains(p, root);
      const int steps = steps_of(all_plans(p, [&](int r) { return chains.plan(r); }), root, true);
      CAPTURE(p, root);
      REQUIRE(steps == chains.rounds({2, 1}));
    }
}

TEST_CASE("two halves cover the vector, without empty blocks") {
  for (std::int64_t m = 1; m <= 60; ++m)
    for (std::int64_t k = 1; k <= m - m / 2; ++k) {
      const Halves halves{m, k};
      std::int64_t next = 0;
      for (const int half : {0, 1})
        for (std::int64_t i = 0; i < halves.blocks(half).b; ++i) {
          const Pass pass = halves.pass({Edge{}, Edge{.peer = 1, .half = half, .first = 1}}, 1 + 2 * i);
          REQUIRE((pass.first == next && pass.count >= 1 && pass.count <= halves.longest()));
          next += pass.count;
        }
      REQUIRE(next == m);
    }
}
