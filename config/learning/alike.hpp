// SPDX-License-Identifier: MIT
// Which algorithms leave the same last bits of floating-point sums.
#pragma once

#include <cstdint>

#include "config/table/choice.hpp"

namespace mpigraft::learning {

/// The freedom that a race has in the order in which the operands of a call are combined.
enum class Order {
  any,   // it does not matter: the operator is exact, or the user permits other bits
  kept,  // sums and products that commute exactly: the association must stay, operands may be swapped
  fixed  // an operator of which nothing is known
};

/// True if both choices combine the operands of a call on that many ranks with the same association, apart from swapped
/// operands, so that sums and products have the same bits. How native calls associate is known only for two ranks.
bool associate_alike(const table::Choice& a, const table::Choice& b, std::int64_t ranks);

}  // namespace mpigraft::learning
