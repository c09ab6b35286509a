// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace mpigraft::base {

/// The time in ns of a clock that never jumps; its start is the machine's affair.
inline std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace mpigraft::base
