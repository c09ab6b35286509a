// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::barrier {

/// Example: p = 8, m = 0. >1 is a message to rank 1.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  >1      >2      >3      >4      >5      >6      >7      >0
///       2  >2      >3      >4      >5      >6      >7      >0      >1
///       3  >4      >5      >6      >7      >0      >1      >2      >3
inline void dissemination(Program& net) { dissemination_barrier(net); }

inline constexpr AlgorithmInfo dissemination_info{
    .paper = "Hensgen, Finkel, Manber 1988",
    .summary = "every rank tells the rank twice as far as in the round before, around the circle",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::barrier
