// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/exscan/by_pattern.hpp"

namespace mpigraft::exscan {

/// Before a round W = x_(r-s) (+) ... (+) x_(r-1), in exscan/by_pattern.hpp; every round includes the own input:
///   round 1   s = 0   rank r sends x_r to rank r+1
///   round 2   s = 1   rank r sends W (+) x_r to rank r+2
///   round 3   s = 3   rank r sends W (+) x_r to rank r+4
///   round 4   s = 7   rank r sends W (+) x_r to rank r+8
/// and so on while s < p-1. Two applications a round: one to make what is sent, one to join what comes.
struct doubling_two_op : ByPattern<doubling_two_op, pattern_two_op> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff 2025, section 2",
      .summary = "straight doubling that sends W (+) V in every round",
      .rounds = "q",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
