// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::allgather {

struct Doubling {
  constexpr explicit Doubling(int ranks) : p(ranks), q(ceil_log2(ranks)) {}
  constexpr int skip(int k) const { return k < q ? 1 << k : p; }
  int p, q;
};

/// Every rank passes all that it has to the rank s before it, s = 1, 2, 4, ..., and in the last round only what is
/// missing there.
///
/// Example: p = 7, m = 7. [0-1]>5 is elements 0 and 1, sent to rank 5.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6
///       1  [0]>6        [1]>0        [2]>1        [3]>2        [4]>3        [5]>4        [6]>5
///       2  [0-1]>5      [1-2]>6      [2-3]>0      [3-4]>1      [4-5]>2      [5-6]>3      [6]+[0]>4
///       3  [0-2]>3      [1-3]>4      [2-4]>5      [3-5]>6      [4-6]>0      [5-6]+[0]>1  [6]+[0-1]>2
inline void bruck(Program& net) {
  net.result(dissemination::allgather(net, net.input_part(), net.parts(), Doubling(net.size())));
}

inline constexpr AlgorithmInfo bruck_info{
    .paper = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997; without rotation: own",
    .summary = "all that a rank has to the rank 1, 2, 4, ... before it, any p",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::allgather
