// SPDX-License-Identifier: MIT
// How a pipeline cuts a vector: equal on all ranks, because it follows from values equal on all ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// m elements in b blocks of whole elements: the first m mod b blocks are one element longer. b may exceed m; the last
/// blocks are then empty.
struct Blocks {
  std::int64_t m = 0;
  std::int64_t b = 1;

  constexpr std::int64_t first(std::int64_t i) const { return b == 1 ? i * m : i * (m / b) + std::min(i, m % b); }
  constexpr std::int64_t count(std::int64_t i) const { return b == 1 ? m : m / b + (i < m % b ? 1 : 0); }
};

/// Most blocks of a pipeline: a schedule has some steps for each. A piece of 1 GiB is cut into blocks of 64 KiB at
/// least.
inline constexpr std::int64_t most_blocks = 1 << 14;

/// A pipeline that takes c0 + c1 (b-1) rounds for b blocks.
struct Pipeline {
  double c0, c1;
};

/// Number of blocks for m elements. The rule's segment decides, if it has one. Otherwise it is the optimum of the
/// linear model, b* = sqrt((c0 - c1) X / (c1 latency)), with X the seconds to transfer (and, if `combines`, to combine)
/// all m elements, or more so that no block exceeds `largest_block`. At least 1, at most m and `most_blocks`.
inline std::int64_t block_count(std::int64_t m, const Params& params, Pipeline rounds, bool combines) {
  const double bytes = static_cast<double>(m) * static_cast<double>(params.element_bytes);
  const Machine& machine = params.machine;
  double b;
  if (params.segment > 0) {
    b = std::ceil(bytes / static_cast<double>(params.segment));
  } else {
    const double seconds = bytes * (machine.per_byte + (combines ? machine.combine_per_byte : 0));
    b = std::round(std::sqrt(std::max(0.0, rounds.c0 - rounds.c1) * seconds / (rounds.c1 * machine.latency)));
    if (params.largest_block > 0) b = std::max(b, std::ceil(bytes / static_cast<double>(params.largest_block)));
  }
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(b, 1e15)), 1,
                                  std::clamp<std::int64_t>(m, 1, most_blocks));
}

}  // namespace mpigraft
