// SPDX-License-Identifier: MIT
// Sets of calls as boxes: what a rule matches, and what the rules before it leave of that.
#pragma once

#include <array>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft {

/// Calls of one collective.
struct Region {
  Range ranks, bytes, nodes;
  Range operators;       // 0: predefined, 1: user-defined and commutative, 2: neither
  Range ranks_per_node;  // the fewest and the most of a call are any within it

  bool empty() const;
  friend bool operator==(const Region&, const Region&) = default;
};

/// Its sides that can be cut; the ranks of nodes, a range in every call, cannot.
inline constexpr std::array cut_sides{&Region::ranks, &Region::bytes, &Region::nodes, &Region::operators};

Range intersection(Range a, Range b);

/// The calls that a rule's conditions match, of those that reach the table: two ranks or more, and data. Sides are as
/// narrow as "nodes times ranks per node" allows; empty where there is no such call.
Region region_of(const Rule& rule);

/// The calls that it decides: without those of user operators whose vectors its algorithm would cut.
std::vector<Region> regions_of(const Rule& rule);

/// The rest that some rules leave of disjoint regions, and which of them took part of that.
struct Remainder {
  std::vector<Region> regions;
  std::vector<const Rule*> takers;
};

/// Regions that would fall into thousands of pieces are taken to remain whole.
Remainder remainder(const std::vector<Region>& regions, const std::vector<const Rule*>& rules);

}  // namespace mpigraft
