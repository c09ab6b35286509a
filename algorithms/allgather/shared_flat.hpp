// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allgather {

constexpr std::int64_t longest_block(int p, const Parts& parts, const Params& params) {
  return std::max<std::int64_t>(in_pages(parts.longest(p), params).count(0), 1);
}

constexpr std::int64_t blocks_of_part(std::int64_t count, std::int64_t length) { return (count + length - 1) / length; }

/// All publish their parts, block by block, and read those of all others, the next rank's first.
///
/// Example: p = 4, m = 4. [1]<1 is element 1, read from rank 1.
///
///   round  rank 0             rank 1             rank 2             rank 3
///       1  [1]<1 [2]<2 [3]<3  [2]<2 [3]<3 [0]<0  [3]<3 [0]<0 [1]<1  [0]<0 [1]<1 [2]<2
inline void shared_flat(Program& net) {
  const Parts parts = net.parts();
  const int p = net.size(), r = net.rank();
  const std::int64_t length = longest_block(p, parts, net.params()), b = blocks_of_part(parts.longest(p), length);
  const Value x = net.input_part();
  net.result(x, parts.first(r));
  for (std::int64_t i = 0; p > 1 && i < b; ++i) {
    const auto count = [&](int s) { return std::clamp<std::int64_t>(parts.count(s) - i * length, 0, length); };
    if (count(r) > 0) net.publish(part(x, i * length, count(r)), i);
    for (int k = 1; k < p; ++k) {
      const int owner = (r + k) % p;
      if (count(owner) > 0) net.result(net.read(owner, i, count(owner)), parts.first(owner) + i * length);
    }
  }
}

inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "all publish their parts in the node's memory, block by block, and read all others",
    .rounds = "b",
    .pipelined = true,
    .scales = true,
    .placement = Placement::one,
    .flat = "bruck",
};

}  // namespace mpigraft::allgather
