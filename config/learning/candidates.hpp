// SPDX-License-Identifier: MIT
// Candidates for a kind of calls: what runs by the table, MPI's own, and what a rough look at the theorems likes.
#pragma once

#include <array>
#include <cstdint>

#include "config/learning/race.hpp"
#include "config/table/selection.hpp"

namespace mpigraft::learning {

/// Choices, the one that runs by the table first.
struct Candidates {
  std::array<table::Choice, most_candidates> choices{};
  int count = 0;

  void add(const table::Choice& choice);
};

/// For calls like this one, and others up to the next power of two. Algorithms that the place, the operator or the
/// length of a user operator's vectors rules out are left out, as are those that the theorems put above four times the
/// best. A pure function, but that theorems may need memory: throws std::bad_alloc.
Candidates candidates_for(const table::Query& query, const table::Place& place, const table::Choice& by_table,
                          const Machine& machine);

}  // namespace mpigraft::learning
