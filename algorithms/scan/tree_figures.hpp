// SPDX-License-Identifier: MIT
// Figures that the scans on the in-order tree share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft::scan {

/// All but the rounds. Rank p-1 has no right child and sends nothing up; it has a left child where p is even, and a
/// prefix where p is no power of two. An exclusive scan combines L, x, R, P in the full case, one pair less where P or
/// R is missing, and of rank p-1 only P with L.
constexpr Theorem tree_theorem(bool exclusive, int p, std::int64_t m, std::int64_t rounds) {
  const bool has_left = p % 2 == 0, has_prefix = !std::has_single_bit(static_cast<unsigned>(p));
  const int n = in_order_tree::most_messages(p);
  return {.rounds = static_cast<int>(rounds),
          .applications = m * (exclusive ? n + (p >= 4) - (p == 2) : n),
          .applications_last = m * (exclusive ? has_left && has_prefix : has_left + has_prefix),
          .sent = m * n,
          .received = m * n};
}

}  // namespace mpigraft::scan
