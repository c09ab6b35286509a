// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "algorithms/patterns/two_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::two_trees {

/// A value for each block of both halves, at first `nothing`.
class Values {
 public:
  explicit Values(const Halves& halves) : halves_(halves) {
    for (const int half : {0, 1}) of(half).resize(static_cast<std::size_t>(halves.blocks(half).b));
  }
  Value& operator[](const Pass& pass) { return of(pass.half)[static_cast<std::size_t>(pass.index)]; }

  /// Calls f(value, first, count) for every block of a half.
  template <class F>
  void for_each(int half, F f) {
    const Blocks cut = halves_.blocks(half);
    for (std::int64_t i = 0; i < cut.b; ++i)
      f(of(half)[static_cast<std::size_t>(i)], halves_.first(half) + cut.first(i), cut.count(i));
  }

 private:
  List<Value>& of(int half) { return values_[static_cast<std::size_t>(half)]; }

  const Halves halves_;
  std::array<List<Value>, 2> values_;
};

/// The blocks of the rank's input.
inline Values inputs(Program& net, const Halves& halves) {
  Values values(halves);
  for (const int half : {0, 1})
    values.for_each(half,
                    [&](Value& value, std::int64_t first, std::int64_t count) { value = net.input(first, count); });
  return values;
}

}  // namespace mpigraft::two_trees
