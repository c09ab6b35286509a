// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allgather/bruck.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::allgather {

/// Every rank talks to its neighbours only, and passes on what came last. With fewer elements than ranks, bruck runs,
/// in fewer rounds.
///
/// Example: p = 5, m = 5. [0]>1 is element 0, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4
///       1  [0]>1   [1]>2   [2]>3   [3]>4   [4]>0
///       2  [4]>1   [0]>2   [1]>3   [2]>4   [3]>0
///       3  [3]>1   [4]>2   [0]>3   [1]>4   [2]>0
///       4  [2]>1   [3]>2   [4]>3   [0]>4   [1]>0
inline void ring(Program& net) {
  if (net.length() < net.size()) return bruck(net);
  piecewise::allgather(net, net, net.input_part(), net.parts(), [](int) { return 1; });
}

inline constexpr AlgorithmInfo ring_info{
    .paper = "Thakur, Rabenseifner, Gropp 2005",
    .summary = "parts go round the ring, each rank with its neighbours only, any p",
    .rounds = "p-1, q for m < p",
    .scales = true,
};

}  // namespace mpigraft::allgather
