// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "algorithms/transport.hpp"

namespace mpigraft {

/// A value that grows by its neighbours' in rank order; at first mostly the input V, which is read only. A value that
/// comes from higher ranks is joined where it came in, what comes from lower ones where the value is, or in `spare`
/// while that is the input.
template <Transport T>
struct OrderedSum {
  T& net;
  const Block V;
  Block value, in, spare;

  /// Elements [first, first + count) of what has come into `in`.
  void join(std::int64_t first, std::int64_t count, bool from_above) {
    const auto part = [&](Block block) { return block.part(first, count); };
    if (from_above) {
      net.combine(part(value), part(in));
      std::swap(value, in);
      if (in == V) in = spare;
    } else {
      const Block out = value == V ? spare : value;
      net.combine(part(in), part(value), part(out));
      value = out;
    }
  }
};

}  // namespace mpigraft
