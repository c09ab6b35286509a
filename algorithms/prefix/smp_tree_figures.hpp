// SPDX-License-Identifier: MIT
// Figures of the doubly pipelined scans on trees whose places are of any shape.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "algorithms/patterns/in_order_tree.hpp"
#include "algorithms/patterns/tree_slots.hpp"

namespace mpigraft::prefix {

/// Rounds of b blocks, slot by slot. A rank sends in a slot when its last send is over and all has come that it had to
/// wait for in the slots before. It is ready for its next receive once the last one has come; the receive of a single
/// block is announced in its own slot.
inline int rounds_on_tree(const std::vector<in_order_tree::Place>& places, int height, std::int64_t b) {
  struct Rank {
    int now = 0, sent = 0, ready = 0;
  };
  struct Transfer {
    int from, to, over;
  };
  struct Child {
    int rank, parent;
    tree_slots::Edge edge;
  };
  std::array<std::vector<Child>, 3> children;  // by slot modulo three
  for (int r = 0; const auto& v : places) {
    const tree_slots::Edge edge = tree_slots::slots(v, height).parent;
    children[static_cast<std::size_t>(edge.any() % 3)].push_back({r++, v.parent, edge});
  }
  std::vector<Rank> ranks(places.size());
  const auto at = [&](int r) -> Rank& { return ranks[static_cast<std::size_t>(r)]; };
  std::vector<Transfer> transfers;
  int last = 0;
  for (std::int64_t slot = 1; slot <= 3 * (b - 1) + 4 * height - 2; ++slot) {
    transfers.clear();
    for (const Child& child : children[static_cast<std::size_t>(slot % 3)]) {
      const auto [up, down] = child.edge.at(slot, b);
      if (up != none) transfers.push_back({child.rank, child.parent, 0});
      if (down != none) transfers.push_back({child.parent, child.rank, 0});
    }
    for (const Transfer& t : transfers) at(t.from).now = std::max(at(t.from).now, at(t.from).sent);
    for (Transfer& t : transfers) t.over = 1 + std::max(at(t.from).now, b > 1 ? at(t.to).ready : at(t.to).now);
    for (const Transfer& t : transfers) {
      at(t.from).sent = t.over;
      at(t.to).ready = at(t.to).now = std::max(at(t.to).now, t.over);
      last = std::max(last, t.over);
    }
  }
  return last;
}

/// Messages and applications of one block at a place.
struct PlaceTally {
  int sent, received, combined;
};
constexpr PlaceTally tally_of(bool exclusive, const in_order_tree::Place& v) {
  const bool left = v.left != none, right = v.right != none, up = v.sends_up(), prefix = v.has_prefix();
  const int total = !up ? 0 : exclusive ? right + left : right;
  const int results = exclusive ? (prefix && left) + (right && (left || prefix)) : left + prefix;
  return {up + (left && prefix) + right, left + (right && up) + prefix, total + results};
}

}  // namespace mpigraft::prefix
