// SPDX-License-Identifier: MIT
// Candidates for a kind of calls: the table's choice, the native call, and the algorithms that cost least.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "config/learning/trial.hpp"
#include "config/table/selection.hpp"

namespace mpigraft::learning {

/// The freedom that a trial has in the order in which the operands of a call are combined.
enum class Order {
  any,   // it does not matter: the operator is exact, or the user permits other bits
  kept,  // sums and products that commute exactly: the association must stay, operands may be swapped
  fixed  // an operator of which nothing is known
};

/// True if both choices combine the operands of a call on that many ranks with the same association, apart from swapped
/// operands, so that sums and products have the same bits. How native calls associate is known only for two ranks.
bool associate_alike(const table::Choice& a, const table::Choice& b, std::int64_t ranks);

/// The choices that are tried; the table's is the first.
struct Candidates {
  std::array<table::Choice, most_candidates> choices{};
  int count = 0;
  int of_any_order = 0;  // their number if the order of combining did not matter

  std::span<const table::Choice> all() const { return std::span(choices).first(static_cast<std::size_t>(count)); }
  void add(const table::Choice& choice);
};

/// The candidates for calls like this one, up to the next power of two of bytes. Excludes algorithms that the
/// placement, the operator or the length of a user operator's vectors rules out, and those that cost more than four
/// times the best on `machine`, by the rounds, volume and operator applications that their schedules show on at most 32
/// ranks. If the order of combining may not change, only those remain that keep
/// the association of the table's choice. A pure function; throws std::bad_alloc, because schedules need memory.
Candidates candidates_for(const table::Query& query, const table::Place& place, const table::Choice& by_table,
                          const Machine& machine, Order order = Order::any);

}  // namespace mpigraft::learning
