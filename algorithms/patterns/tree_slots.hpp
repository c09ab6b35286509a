// SPDX-License-Identifier: MIT
// The doubly pipelined in-order tree (Sanders, Traeff 2006, section 2.3): which edge a rank uses in which slot. In a
// slot it talks to one neighbour, in both directions; block i follows block i-1 after three slots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft::tree_slots {

/// One direction of an edge: block i passes it in slot first + 3i. Slots count from 1.
struct Edge {
  int peer = none, first = 0;

  /// Index of the block, one of b, that passes in `slot`; `none` if no block does.
  constexpr std::int64_t block(std::int64_t slot, std::int64_t b) const {
    const std::int64_t since = slot - first;
    return peer != none && 0 <= since && since < 3 * b && since % 3 == 0 ? since / 3 : none;
  }
};

/// What a rank sends and receives, by slot modulo three. The two directions of an edge share a place, and a rank's
/// edges do not: in every slot one edge passes a block in one direction, or one in each.
struct Plan {
  std::array<Edge, 3> out = {}, in = {};
};

/// The plan of a rank in a tree of height n. An edge on the leftmost path carries no prefix, one on the rightmost path
/// no total. The total of a left child comes two slots before its parent's leaves, that of a right child one; a prefix
/// is passed to the left one slot after it has come, to the right two.
constexpr Plan plan(const in_order_tree::Place& v, int n) {
  const int up = 2 * n + 1 - 2 * v.lefts - v.rights;
  const int down = 2 * n - 2 * v.first_lefts + (v.lefts - v.first_lefts) + 2 * (v.rights - 1);
  Plan plan;
  const auto put = [](std::array<Edge, 3>& edges, bool passes, int peer, int first) {
    if (passes && peer != none) edges[static_cast<std::size_t>(first % 3)] = {peer, first};
  };
  put(plan.out, v.sends_up(), v.parent, up);
  put(plan.in, v.has_prefix(), v.parent, down);
  put(plan.in, true, v.left, up - 2);
  put(plan.out, v.has_prefix(), v.left, down + 1);
  put(plan.in, v.sends_up(), v.right, up - 1);
  put(plan.out, true, v.right, v.has_prefix() ? down + 2 : up - 1);
  return plan;
}

}  // namespace mpigraft::tree_slots
