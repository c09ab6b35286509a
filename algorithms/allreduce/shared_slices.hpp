// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/shared_flat.hpp"
#include "algorithms/patterns/pages.hpp"

namespace mpigraft::allreduce {

/// All publish block i, rank r combines slice r of all and publishes that, and all gather.
///
/// Example: p = 3, m = 3. 0-2[1]<1 is element 1 of x_0 (+) ... (+) x_2, read from rank 1.
///
///   round  rank 0             rank 1             rank 2
///       1  2[0]<2 1[0]<1      2[1]<2 0[1]<0      1[2]<1 0[2]<0
///       2  0-2[1]<1 0-2[2]<2  0-2[0]<0 0-2[2]<2  0-2[0]<0 0-2[1]<1
inline void shared_slices(Program& net) {
  if (!slices_fit(net.size(), net.length(), net.params())) return shared_flat(net);
  slices::reduce(net, true);
}

inline constexpr AlgorithmInfo shared_slices_info{
    .paper = "Rabenseifner 2004; Graham, Shipman 2008",
    .summary = "all publish a block, every rank combines a p-th of it and publishes that, all gather",
    .rounds = "2b",
    .cuts = Cuts::always,
    .pipelined = true,
    .associates_like = "shared_flat",
    .placement = Placement::one,
    .flat = "rabenseifner",
};

}  // namespace mpigraft::allreduce
