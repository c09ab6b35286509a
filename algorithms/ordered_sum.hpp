// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "algorithms/transport.hpp"

namespace mpigraft {

/// A partial result that grows by the values of neighbouring ranks, in rank order. It mostly starts as the input V,
/// which is read only. Joining a value of higher ranks leaves the sum in `in`, which becomes `value`. Joining one of
/// lower ranks leaves it in `value`, or in `spare` if that is still V.
template <Transport T>
struct OrderedSum {
  T& net;
  const Block V;
  Block value, in, spare;

  /// Combines elements [first, first + count) of `value` with those of `in`, which come from higher ranks if
  /// `from_above`.
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

  /// Combines all of `value` with a message that arrives in `in`, and leaves the sum in `value` or in `spare`.
  void join_arriving(typename T::Request message, bool from_above) requires AsyncTransport<T> {
    const Block out = value == V ? spare : value;
    if (from_above)
      net.combine_and_receive(value, message, in, out);
    else
      net.receive_and_combine(message, in, value, out);
    value = out;
  }
};

}  // namespace mpigraft
