// SPDX-License-Identifier: MIT
// Two-tree schedules (Sanders, Speck, Traeff 2009). Half 0 of the vector flows along T1, an in-order tree on an even
// number of members, half 1 along T2, its mirror image. An inner node of one is a leaf of the other, so each port of a
// rank has at most two edges. These get different colours, and in step t the edges of colour t mod 2 carry a block.
// Downwards it is a broadcast; the same schedule walked backwards is a reduction.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::two_trees {

/// One rank's end of an edge: block i of `half` passes it in step first + 2i.
struct Edge {
  int peer = none;
  int half = 0;
  int first = 0;
  bool covers_first = false;  // the first member lies below the edge
  bool covers_last = false;
};

/// A rank's edges to its parents and to its children in both trees, by colour.
struct Plan {
  std::array<Edge, 2> above = {}, below = {};

  static constexpr void put(std::array<Edge, 2>& edges, Edge edge) {
    edges[static_cast<std::size_t>(edge.first % 2)] = edge;
  }
  /// The plan with name(edge) as the peer of every edge; `none` drops the edge.
  template <class Name>
  constexpr Plan renamed(Name name) const {
    Plan plan = *this;
    for (auto* edges : {&plan.above, &plan.below})
      for (Edge& edge : *edges)
        if (edge.peer != none) edge.peer = name(edge);
    return plan;
  }
};

/// Members of T1 are 1..n, n even; 0 feeds both trees, so it is the parent of the root.
constexpr int parent_in_t1(int i, int n) { return in_order_tree::parent(i - 1, n) + 1; }

/// Step in which block 0 reaches an inner member of T1 (i even): the first one after its parent's that has the edge's
/// colour. The paper's inEdgeColor is the parent's, changed by n/2 mod 2 and changed by being a left child. So all left
/// edges on the way take one step and all right ones two, or the other way round.
constexpr int first_step_of_inner(int i, int n) {
  const int odd = n / 2 % 2;
  return 1 + (1 + odd) * in_order_tree::lefts(i - 1, n) + (2 - odd) * in_order_tree::rights(i - 1);
}

/// The same for any member. A leaf's colour (i odd) is opposite to its colour in T2. T2 runs one step behind T1: in it
/// member n+1-i has the edges of i, in the other colour.
constexpr int first_step(int i, int n) {
  if (i % 2 == 0) return first_step_of_inner(i, n);
  const int t = first_step_of_inner(parent_in_t1(i, n), n), color = first_step_of_inner(n + 1 - i, n);
  return (t + color) % 2 == 1 ? t + 1 : t + 2;
}

/// The same, except for some children of the uppermost `levels`. A child on the side given (`below`: of lower number)
/// that would directly follow its parent comes two steps later, with its subtree. Walked backwards, it then comes
/// before its sibling.
constexpr int first_step_apart(int i, int n, int levels, bool below) {
  int t = first_step(i, n);
  if (levels == 0) return t;
  for (int child = i, parent = parent_in_t1(i, n); parent != 0; child = parent, parent = parent_in_t1(child, n)) {
    const bool near_root = in_order_tree::floor_power(n) >> levels < in_order_tree::lowest_bit(parent);
    if (near_root && (child < parent) == below && first_step(child, n) - first_step(parent, n) == 1) t += 2;
  }
  return t;
}

/// T1 (half 0) or T2 (half 1). With a `relay` between 0 and the roots, all members have the next higher number, and
/// everything happens one step later. `left_first`: number of uppermost levels where, backwards, left children come
/// before right ones.
struct Tree {
  int half, n, relay = 0, left_first = 0;

  constexpr int mirror(int i) const { return half == 0 || i == 0 ? i : n + 1 - i; }
  constexpr int parent(int i) const { return mirror(parent_in_t1(mirror(i), n)); }
  constexpr std::array<int, 2> children(int i) const {
    if (i == 0) return {mirror(in_order_tree::root(n) + 1), 0};
    const int node = mirror(i) - 1;
    return {mirror(in_order_tree::left(node) + 1), mirror(in_order_tree::right(node, n) + 1)};
  }
  /// The edge between member `child` and its parent, at the end whose peer is `peer`.
  constexpr Edge edge(int child, int peer) const {
    const int i = mirror(child), reach = in_order_tree::lowest_bit(i);
    const bool first = i == reach, last = i + reach > n;
    return {.peer = peer + relay,
            .half = half,
            .first = first_step_apart(i, n, left_first, half == 0) + half + relay,
            .covers_first = half == 0 ? first : last,
            .covers_last = half == 0 ? last : first};
  }
};

/// The edges of member i of 0..n, n even.
constexpr Plan plan_of_member(int i, int n, int relay = 0, int left_first = 0) {
  Plan plan;
  for (const int half : {0, 1}) {
    const Tree tree{half, n, relay, left_first};
    if (i > 0) Plan::put(plan.above, tree.edge(i, tree.parent(i)));
    for (const int child : tree.children(i))
      if (child > 0) Plan::put(plan.below, tree.edge(child, child));
  }
  return plan;
}

/// The edges of v among 0..p-1, where 0 feeds both trees. For even p rank 1 relays, which keeps the trees in order and
/// costs one step. (The paper's T1 exists for an even number of members only.)
constexpr Plan plan_below_root(int v, int p) {
  const int relay = p % 2 == 0;
  Plan plan;
  if (v >= relay) plan = plan_of_member(v - relay, p - 1 - relay, relay);
  if (relay == 1 && v <= 1)
    for (const int half : {0, 1})
      Plan::put(v == 0 ? plan.below : plan.above, {.peer = 1 - v, .half = half, .first = 1 + half});
  return plan;
}

/// The edges of rank r among 0..p-1 where sums turn back at the top: for even p a root of its own is above each tree,
/// for odd p rank 0 above both.
constexpr Plan plan_among_all(int r, int p) {
  const int offset = 1 - p % 2;
  return plan_of_member(r + offset, p - p % 2).renamed([=](const Edge& edge) { return edge.peer - offset; });
}

/// True if ranks are on both sides of the root.
constexpr bool is_between(int root, int p) { return 0 < root && root < p - 1; }

/// A block that passes an edge in one step.
struct Pass {
  int peer = none;
  int half = 0;
  std::int64_t index = 0;
  std::int64_t first = 0, count = 0;
};

/// m elements: half 0, which is not smaller, and half 1, in k blocks each, or in fewer such that none is empty.
struct Halves {
  std::int64_t m, k;

  constexpr std::int64_t elements(int half) const { return half == 0 ? m - m / 2 : m / 2; }
  constexpr std::int64_t first(int half) const { return half == 0 ? 0 : elements(0); }
  constexpr Blocks blocks(int half) const { return {elements(half), std::min(k, elements(half))}; }
  constexpr std::int64_t longest() const { return m == 0 ? 0 : blocks(0).count(0); }

  constexpr Pass pass(const std::array<Edge, 2>& edges, std::int64_t t) const {
    const Edge& edge = edges[static_cast<std::size_t>(t % 2)];
    if (edge.peer == none || t < edge.first) return {};
    const Blocks cut = blocks(edge.half);
    const std::int64_t i = (t - edge.first) / 2;
    if (i >= cut.b) return {};
    return {edge.peer, edge.half, i, first(edge.half) + cut.first(i), cut.count(i)};
  }
};

/// Halves in the k blocks that suit the machine, along two trees of p ranks: one way up or down, or both.
inline Halves halves_on_trees(int p, std::int64_t m, const Params& params, int ways, bool combines) {
  const Pipeline rounds{2.0 * ways * ceil_log2(p), 2.0 * ways};
  return {m, block_count(m - m / 2, params, rounds, combines)};
}

/// The steps of one rank from its first to its last: from parents to children, or if `up` backwards.
class Walk {
 public:
  Walk(const Plan& plan, const Halves& halves, bool up) : plan_(plan), halves_(halves), up_(up) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto* edges : {&plan.above, &plan.below})
      for (const Edge& edge : *edges) {
        const std::int64_t k = halves.blocks(edge.half).b;
        if (edge.peer == none || k == 0) continue;
        first = std::min<std::int64_t>(first, edge.first);
        last_ = std::max(last_, edge.first + 2 * (k - 1));
      }
    if (last_ > 0) steps_ = last_ - first + 1;
  }

  /// Goes through all steps: sends value_of(pass) of each block that leaves, and calls arrived(pass, value) for each
  /// that comes.
  template <class ValueOf, class Arrived>
  void go(const Group& net, ValueOf value_of, Arrived arrived) const {
    for (std::int64_t s = 0; s < steps_; ++s) {
      const std::int64_t t = up_ ? last_ - s : last_ - steps_ + 1 + s;
      const Pass out = halves_.pass(up_ ? plan_.above : plan_.below, t);
      const Pass in = halves_.pass(up_ ? plan_.below : plan_.above, t);
      net.begin_round();
      if (out.peer != none) net.send(value_of(out), out.peer);
      if (in.peer != none) arrived(in, net.recv(in.peer, in.count));
    }
  }

 private:
  const Plan plan_;
  const Halves halves_;
  const bool up_;
  std::int64_t steps_ = 0, last_ = 0;
};

/// A T for each block of both halves.
template <class T>
class PerBlock {
 public:
  explicit PerBlock(const Halves& halves) : halves_(halves) {
    for (const int half : {0, 1}) of(half).resize(static_cast<std::size_t>(halves.blocks(half).b));
  }
  T& operator[](const Pass& pass) { return of(pass.half)[static_cast<std::size_t>(pass.index)]; }
  /// A function that gives that of a block.
  auto getter() {
    return [this](const Pass& pass) { return (*this)[pass]; };
  }

  /// Calls f(T of the block, first, count) for every block.
  template <class F>
  void for_each(F f) {
    for (const int half : {0, 1}) {
      const Blocks cut = halves_.blocks(half);
      for (std::int64_t i = 0; i < cut.b; ++i)
        f(of(half)[static_cast<std::size_t>(i)], halves_.first(half) + cut.first(i), cut.count(i));
    }
  }

 private:
  List<T>& of(int half) { return list_[static_cast<std::size_t>(half)]; }

  const Halves halves_;
  std::array<List<T>, 2> list_;
};
using Values = PerBlock<Value>;  // at first `nothing`

/// The blocks of the rank's input.
inline Values inputs(Program& net, const Halves& halves) {
  Values values(halves);
  values.for_each([&](Value& value, std::int64_t first, std::int64_t count) { value = net.input(first, count); });
  return values;
}

/// States that these are the blocks of the result.
inline void give(Program& net, Values& values) {
  values.for_each([&](Value value, std::int64_t first, std::int64_t) { net.result(value, first); });
}

/// The walk upwards. A block's partial sum starts as the own input; a child of lower rank joins it from the left, one
/// of higher rank from the right. A rank without a parent in a half has the sum of that half.
inline void walk_up(const Group& net, const Walk& walk, Values& sums) {
  walk.go(net, sums.getter(), [&](const Pass& in, Value arrived) {
    sums[in] = in.peer > net.rank() ? net.combine(sums[in], arrived) : net.combine(arrived, sums[in]);
  });
}

}  // namespace mpigraft::two_trees
