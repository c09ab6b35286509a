// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/reduce/shared_flat.hpp"

namespace mpigraft::reduce {

/// All publish block i, rank r combines slice r of all and publishes that, and the root gathers.
///
/// Example: p = 3, m = 3, root 0. 0-2[1]<1 is element 1 of x_0 (+) ... (+) x_2, read from rank 1.
///
///   round  rank 0             rank 1             rank 2
///       1  2[0]<2 1[0]<1      2[1]<2 0[1]<0      1[2]<1 0[2]<0
///       2  0-2[1]<1 0-2[2]<2
inline void shared_slices(Program& net) {
  if (!slices_fit(net.size(), net.length(), net.params())) return shared_flat(net);
  slices::reduce(net, net.rank() == net.params().root);
}

inline constexpr AlgorithmInfo shared_slices_info{
    .paper = "Rabenseifner 2004; Graham, Shipman 2008",
    .summary = "all publish a block, every rank combines a p-th of it and publishes that, the root gathers",
    .rounds = "2b",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .placement = Placement::one,
    .flat = "butterfly",
};

}  // namespace mpigraft::reduce
