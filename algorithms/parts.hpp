// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mpigraft {

/// A vector in one part for each rank, in the order of ranks: all as long as `each`, or part r from `firsts[r]` up to
/// `firsts[r + 1]`. A part may have no elements.
struct Parts {
  std::int64_t each = 0;
  std::span<const std::int64_t> firsts = {};

  constexpr std::int64_t first(int r) const { return firsts.empty() ? r * each : firsts[static_cast<std::size_t>(r)]; }
  constexpr std::int64_t count(int r) const { return first(r + 1) - first(r); }
};

}  // namespace mpigraft
