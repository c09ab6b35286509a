// SPDX-License-Identifier: MIT
// The doubly pipelined in-order tree (Sanders, Traeff 2006, section 2.3): which edge a rank uses in which slot. In a
// slot it talks to one neighbour, in both directions; block i follows block i-1 after three slots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft::tree_slots {

/// Index of the block, one of b, that passes an edge in `slot`, in a direction that block 0 passes in slot `start`;
/// `none` if no block does.
constexpr std::int64_t block(std::int64_t slot, int start, std::int64_t b) {
  const std::int64_t since = slot - start;
  return start > 0 && 0 <= since && since < 3 * b && since % 3 == 0 ? since / 3 : none;
}

/// An edge passes block i upwards in slot up + 3i and downwards in slot down + 3i; up and down differ by a multiple of
/// three, and a rank's edges do not. Slots count from 1; 0: nothing passes in this direction.
struct Edge {
  int up = 0, down = 0;

  /// The first slot of either direction; 0: nothing ever passes.
  constexpr int any() const { return up > 0 ? up : down; }
};

/// A rank's edges. An edge on the leftmost path carries no prefix, one on the rightmost path no total. The total of a
/// left child comes two slots before its parent's leaves, that of a right child one; a prefix is passed to the left
/// one slot after it has come, to the right two.
struct Slots {
  Edge parent, left, right;
};

/// The slots of a rank's edges in a tree of height n.
constexpr Slots slots(const in_order_tree::Place& v, int n) {
  const int up = 2 * n + 1 - 2 * v.lefts - v.rights;
  const int down = 2 * n - 2 * v.first_lefts + (v.lefts - v.first_lefts) + 2 * (v.rights - 1);
  const bool prefix = v.has_prefix();
  return {.parent = {v.sends_up() ? up : 0, prefix ? down : 0},
          .left = {v.left != none ? up - 2 : 0, v.left != none && prefix ? down + 1 : 0},
          .right = {v.right != none && v.sends_up() ? up - 1 : 0, v.right == none ? 0
                                                                  : prefix        ? down + 2
                                                                                  : up - 1}};
}

/// Block `index` from or to a neighbour.
struct Move {
  int peer = none;
  std::int64_t index = 0;
};

/// The moves of one rank, for b blocks. In every slot at most one of its three edges passes anything: a block in one
/// direction, or one in each.
class Walk {
 public:
  constexpr Walk(int parent, int left, int right, const Slots& slots, std::int64_t b) : b_(b) {
    for (const Neighbour& neighbour :
         {Neighbour{parent, slots.parent, true}, {left, slots.left, false}, {right, slots.right, false}})
      if (neighbour.edge.any()) in_slot_[static_cast<std::size_t>(neighbour.edge.any() % 3)] = neighbour;
  }

  /// The moves in slot s+1.
  constexpr Move in(std::int64_t s) const { return move(s, false); }
  constexpr Move out(std::int64_t s) const { return move(s, true); }

 private:
  struct Neighbour {
    int peer = none;
    Edge edge;
    bool is_parent = false;
  };

  constexpr Move move(std::int64_t s, bool out) const {
    const Neighbour& neighbour = in_slot_[static_cast<std::size_t>((s + 1) % 3)];
    const Edge& edge = neighbour.edge;
    const std::int64_t index = block(s + 1, out == neighbour.is_parent ? edge.up : edge.down, b_);
    return {index == none ? none : neighbour.peer, index};
  }

  std::array<Neighbour, 3> in_slot_;  // modulo three
  std::int64_t b_;
};

}  // namespace mpigraft::tree_slots
