// SPDX-License-Identifier: MIT
// The calls for which two tables choose differently.
#pragma once

#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// The facts that calls have in common while their ranks and bytes vary.
struct Placing {
  std::int64_t ranks_per_node = 1;
  bool of_this_machine = false;  // that number is assumed
  bool oversubscribed = false;
  bool commutative = true, user = false;  // the operator
  bool floating = false;                  // the type; tables do not ask
};

/// The query of a call if even the last node has `ranks_per_node` ranks.
table::Query on_full_nodes(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes);

/// The same, but the last node has the ranks that are left, as the library counts them.
table::Query query_of(Collective collective, const Placing& placing, std::int64_t ranks, std::int64_t bytes);

/// A rectangle in which one table always chooses `before`, the other always `after`.
struct Difference {
  table::Range ranks, bytes;
  table::Choice before, after;

  friend bool operator==(const Difference&, const Difference&) = default;
};

/// All differences of a collective on one node or on full ones, from two ranks and one byte on, as disjoint rectangles
/// in the order of their ranks.
std::vector<Difference> differences(const table::Table& before, const table::Table& after, Collective collective,
                                    const Placing& placing);

}  // namespace mpigraft::analysis
