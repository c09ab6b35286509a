// SPDX-License-Identifier: MIT
// Figures that the scans on the in-order tree share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/patterns/in_order_tree.hpp"

namespace mpigraft::prefix {

/// Figures for given rounds. Rank p-1 has no right child and sends nothing up; it has a left child where p is even, and
/// a prefix where p is no power of two. An exclusive scan combines L, x, R, P in the full case, and one pair less where
/// P or R is missing; rank p-1 combines only P with L.
constexpr Theorem tree_theorem(bool exclusive, int p, std::int64_t m, std::int64_t rounds) {
  const bool has_left = p % 2 == 0, has_prefix = !std::has_single_bit(static_cast<unsigned>(p));
  const int n = in_order_tree::most_messages(p);
  return {.rounds = static_cast<int>(rounds),
          .applications = m * (exclusive ? n + (p >= 4) - (p == 2) : n),
          .applications_last = m * (exclusive ? has_left && has_prefix : has_left + has_prefix),
          .sent = m * n,
          .received = m * n};
}

/// The paper's ranks send or receive, and take 6(b-1)+4n-2 rounds on the complete tree of height n. Here they send and
/// receive at once, so that a block follows the one before it after two rounds instead of three in either phase.
///
/// All totals have reached the root's level after 2n-1+2(b-1) rounds (b where n = 1). Then the last prefix travels to
/// the right of the root in 1 round and down by way_down, one block in two rounds as soon as a rank on the way has two
/// children. At the same time it travels to the right of the root's left child, whose tree is complete.
constexpr std::int64_t two_phase_rounds(int p, std::int64_t b) {
  if (p <= 1) return 0;
  const int n = in_order_tree::height(p), rest = p - in_order_tree::floor_power(p);
  const std::int64_t up = n == 1 ? b : 2 * n - 1 + 2 * (b - 1);
  const auto down = [b](int size) {
    return size == 0 ? 0 : 1 + in_order_tree::way_down(size) + (size > 2 ? 2 : 1) * (b - 1);
  };
  return up + std::max(down(rest), n > 1 ? down((1 << (n - 1)) - 1) : 0);
}

}  // namespace mpigraft::prefix
