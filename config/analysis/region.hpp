// SPDX-License-Identifier: MIT
// Sets of calls as boxes: what a rule matches, and what the rules before it leave of that.
#pragma once

#include <array>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// Calls of one collective.
struct Region {
  table::Range ranks, bytes, nodes;
  table::Range operators;       // 0: predefined, 1: user-defined and commutative, 2: neither
  table::Range crowded;         // 0: a core for every rank, 1: more ranks than cores
  table::Range ranks_per_node;  // the fewest and the most of a call are any within it

  bool empty() const;
  friend bool operator==(const Region&, const Region&) = default;
};

/// Its sides that can be cut; the ranks of nodes, a range in every call, cannot.
inline constexpr std::array cut_sides{&Region::ranks, &Region::bytes, &Region::nodes, &Region::operators,
                                      &Region::crowded};

/// Empty (min above max) where the two have nothing in common.
table::Range intersection(table::Range a, table::Range b);

/// The calls that a rule's conditions match, of those that reach the table: two ranks or more, and data. Sides are as
/// narrow as "nodes times ranks per node" allows; empty where there is no such call.
Region region_of(const table::Rule& rule);

/// The calls that it decides: without those of user operators whose vectors its algorithm would cut.
std::vector<Region> regions_of(const table::Rule& rule);

/// The rest that some rules leave of disjoint regions, and which of them took part of that.
struct Remainder {
  std::vector<Region> regions;
  std::vector<const table::Rule*> takers;
};

/// Regions that would fall into thousands of pieces are taken to remain whole.
Remainder remainder(const std::vector<Region>& regions, const std::vector<const table::Rule*>& rules);

}  // namespace mpigraft::analysis
