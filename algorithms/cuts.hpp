// SPDX-License-Identifier: MIT
// How long a vector may be that an algorithm is sure to leave whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// In vectors of up to so many bytes the operator is applied to all elements at once, whatever ranks, root and nodes;
/// `segment` as in Params.
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
