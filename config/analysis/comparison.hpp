// SPDX-License-Identifier: MIT
// Where two tables choose differently.
#pragma once

#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// The part that calls have in common whose ranks and bytes vary.
struct Placing {
  std::int64_t ranks_per_node = 1;
  bool crowded = false;
  bool commutative = true, user = false;  // the operator
  bool floating = false;                  // the type; tables do not ask
};

/// The call of one size, if even the last of its nodes has so many ranks.
table::Query on_full_nodes(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes);

/// The same on nodes of which the last one has the ranks that are left, as the library counts them.
table::Query query_of(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes);

/// Calls of which one table chooses one thing, the other another, all over the rectangle.
struct Difference {
  table::Range ranks, bytes;
  table::Choice before, after;
};

/// All differences of a collective on full nodes, from two ranks and one byte on, as disjoint rectangles by their
/// ranks.
std::vector<Difference> differences(const table::Table& before, const table::Table& after, Collective collective,
                                    const Placing& placing);

}  // namespace mpigraft::analysis
