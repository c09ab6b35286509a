// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// One step through the node's memory for each block. Rank r
///   publishes  x_r,
///   reads      x_(r-1), ..., x_0, and makes x_s (+) W of each, from W = x_r on, or in an exclusive scan from x_(r-1)
///   on.
/// No rank waits for another's sum; the price is p-1 applications at rank p-1, or p-2.
///
/// Example: p = 5, m = 1. 0<0 is x_0, read from rank 0.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1                   0<0              1<1 0<0          2<2 1<1 0<0      3<3 2<2 1<1 0<0
template <bool exclusive>
void shared_flat(Program& net) {
  const int p = net.size(), r = net.rank();
  const Blocks cut = in_pages(net.length(), net.params());
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const Value x = net.input(cut, i);
    if (r + 1 < p) net.publish(x, i);
    Value W = exclusive ? nothing : x;
    for (int s = r - 1; s >= 0; --s) W = net.combine(net.read(s, i, x.count), W);
    net.result(W, cut.first(i));
  }
}

template <bool exclusive>
inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "every rank reads what all lower ones publish in the node's memory",
    .rounds = "min(b, p-1)",
    .cuts = Cuts::pages,
    .scales = true,
    .placement = Placement::one,
    .flat = exclusive ? "doubling_123" : "hillis_steele",
};

}  // namespace mpigraft::prefix
