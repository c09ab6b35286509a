// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/info.hpp"
#include "algorithms/reduce/binomial.hpp"

namespace mpigraft::barrier {

/// A reduction of nothing to rank 0, and a broadcast from there: half the messages of a dissemination in twice the
/// rounds.
///
/// Example: p = 8, m = 0. >0 is a message to rank 0.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1          >0              >2              >4              >6
///       2                  >0                              >4
///       3                                  >0
///       4  >4
///       5  >2                              >6
///       6  >1              >3              >5              >7
struct binomial {
  static void text(Program& net) { bcast::from_root(net, reduce::to_root(net, net.input(), 0), 0, 0); }

  static constexpr AlgorithmInfo info{
      .collective = Collective::barrier,
      .paper = "Yew, Tzeng, Lawrie 1987",
      .summary = "up and down a binomial tree",
      .rounds = "2q",
      .text = text,
  };
};

}  // namespace mpigraft::barrier
