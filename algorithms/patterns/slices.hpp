// SPDX-License-Identifier: MIT
// Every block of a vector in p slices, of which rank r owns slice r.
#pragma once

#include <cstdint>

#include "algorithms/patterns/pages.hpp"

namespace mpigraft {

/// True if m elements, and those of a page, are enough for a slice of each of p ranks.
constexpr bool slices_fit(int p, std::int64_t m, const Params& params) {
  return p > 1 && m >= p && page_elements(params) >= p;
}

class Slices {
 public:
  constexpr Slices(const Blocks& cut, int p) : cut_(cut), p_(p) {}

  constexpr std::int64_t m() const { return cut_.m; }
  /// Number of elements in rank r's slices of all blocks.
  constexpr std::int64_t of(int r) const {
    const std::int64_t longer = cut_.m % cut_.b;
    return longer * Blocks{cut_.count(0), p_}.count(r) + (cut_.b - longer) * Blocks{cut_.m / cut_.b, p_}.count(r);
  }

 private:
  const Blocks cut_;
  const int p_;
};

}  // namespace mpigraft
