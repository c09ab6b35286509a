// SPDX-License-Identifier: MIT
// The longest vector that an algorithm is sure to leave whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// Length in bytes up to which the algorithm applies the operator to whole vectors, for all ranks, roots and nodes.
/// `segment` is that of Params.
constexpr std::int64_t whole_up_to(const AlgorithmInfo& info, std::int64_t segment) {
  switch (info.cuts) {
    case Cuts::never:
      return std::numeric_limits<std::int64_t>::max();
    case Cuts::blocks:
      return segment;  // 0: the formula may cut a vector of any length
    case Cuts::pages:
      return segment > 0 ? std::min(segment, page_bytes) : page_bytes;
    case Cuts::always:
      break;
  }
  return 0;
}

}  // namespace mpigraft
