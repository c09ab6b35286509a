// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::reduce {

/// All others publish, and the root combines what it reads: the values of lower ranks and its own, and those of upper
/// ranks.
///
/// Example: p = 5, m = 1, root 0. 4<4 is x_4, read from rank 4.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1  4<4 3<3 2<2 1<1
inline void shared_flat(Program& net) {
  const int p = net.size(), r = net.rank(), root = net.params().root;
  const Blocks cut = in_pages(net.length(), net.params());
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const Value x = net.input(cut, i);
    if (r != root) {
      net.publish(x, i);
      continue;
    }
    Value lower = x, upper = nothing;
    for (int s = root - 1; s >= 0; --s) lower = net.combine(net.read(s, i, x.count), lower);
    for (int s = p - 1; s > root; --s) upper = net.combine(net.read(s, i, x.count), upper);
    net.result(net.combine(lower, upper), cut.first(i));
  }
}

inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "all publish blocks in the node's memory, the root reads and combines them",
    .rounds = "1",
    .cuts = Cuts::pages,
    .scales = true,
    .placement = Placement::one,
    .flat = "binomial",
};

}  // namespace mpigraft::reduce
