// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::allreduce {

/// All publish, and every rank combines x_(p-1), ..., x_0, in this order.
///
/// Example: p = 5, m = 1. 4<4 is x_4, read from rank 4.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1  4<4 3<3 2<2 1<1  4<4 3<3 2<2 0<0  4<4 3<3 1<1 0<0  4<4 2<2 1<1 0<0  3<3 2<2 1<1 0<0
inline void shared_flat(Program& net) {
  const int p = net.size(), r = net.rank();
  const Blocks cut = in_pages(net.length(), net.params());
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const Value x = net.input(cut, i);
    if (p > 1) net.publish(x, i);
    Value sum = nothing;
    for (int s = p - 1; s >= 0; --s) sum = net.combine(s == r ? x : net.read(s, i, x.count), sum);
    net.result(sum, cut.first(i));
  }
}

inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "all publish blocks in the node's memory, all read and combine them in the same order",
    .rounds = "b",
    .cuts = Cuts::pages,
    .scales = true,
    .placement = Placement::one,
    .flat = "recursive_doubling",
};

}  // namespace mpigraft::allreduce
