// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace mpigraft {

/// ceil(log2 x) for x >= 1; 0 below.
constexpr int ceil_log2(std::int64_t x) {
  return x <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

}  // namespace mpigraft
