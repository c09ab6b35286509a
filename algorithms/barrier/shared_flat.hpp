// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::barrier {

/// Each rank publishes that it has come, and looks at all others.
///
/// Example: p = 6, m = 0. <1 is a page read from rank 1.
///
///   round  rank 0          rank 1          rank 2          rank 3          rank 4          rank 5
///       1  <1 <2 <3 <4 <5  <2 <3 <4 <5 <0  <3 <4 <5 <0 <1  <4 <5 <0 <1 <2  <5 <0 <1 <2 <3  <0 <1 <2 <3 <4
inline void shared_flat(Program& net) {
  const int p = net.size(), r = net.rank();
  if (p > 1) net.publish(net.token(), 0);
  for (int i = 1; i < p; ++i) net.read((r + i) % p, 0, 0);
}

inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "each rank publishes in the node's memory that it has come, and looks at all others",
    .rounds = "1",
    .scales = true,
    .placement = Placement::one,
    .flat = "dissemination",
};

}  // namespace mpigraft::barrier
