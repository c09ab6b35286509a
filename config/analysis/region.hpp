// SPDX-License-Identifier: MIT
// Sets of calls as boxes: the calls that a rule matches, and those that earlier rules leave to it.
#pragma once

#include <array>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// Calls of one collective.
struct Region {
  table::Range ranks, bytes, nodes;
  table::Range operators;       // 0: predefined, 1: user-defined and commutative, 2: neither
  table::Range oversubscribed;  // 0: a core for every rank, 1: more ranks than cores
  table::Range ranks_per_node;  // a call's fewest and most are any two within it

  bool empty() const;
  friend bool operator==(const Region&, const Region&) = default;
};

/// The sides that can be cut. Ranks per node cannot, because even one call has a range of them.
inline constexpr std::array cut_sides{&Region::ranks, &Region::bytes, &Region::nodes, &Region::operators,
                                      &Region::oversubscribed};

/// The calls that a rule's conditions match, of those that reach the table: two ranks or more, and data. Sides are as
/// narrow as "nodes times ranks per node" allows. Empty if there is no such call.
Region region_of(const table::Rule& rule);

/// The calls that a rule decides: without those of user operators whose vectors its algorithm would cut.
std::vector<Region> regions_of(const table::Rule& rule);

/// The rest that rules leave of disjoint regions, and the rules that took a part of them.
struct Remainder {
  std::vector<Region> regions;
  std::vector<const table::Rule*> takers;
};

/// If the rest would fall into thousands of pieces, nothing is taken from the regions.
Remainder remainder(const std::vector<Region>& regions, const std::vector<const table::Rule*>& rules);

}  // namespace mpigraft::analysis
