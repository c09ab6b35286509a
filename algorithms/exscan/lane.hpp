// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/lane.hpp"

namespace mpigraft::exscan {

/// Nodes of c ranks, rank j of each owns piece j, a c-th of the vector, in prefix/lane.hpp:
///   1. all to all in the node   rank j receives piece j of its node's vectors, and scans it: S_0, ..., S_(c-1)
///   2. lane of all ranks j      P = the totals S_(c-1) of the nodes before: along a chain in blocks, or by doubling
///   3. every owner              P (+) S_(s-1) for every s
///   4. all to all back          rank s receives piece j of P (+) S_(s-1) from rank j, for every j
/// With fewer elements than a node has ranks, hierarchical runs.
struct lane : prefix::ByLanes<lane, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Traeff, Hunold 2020, lanes; Gorlatch, Lengauer 1997, section 5.3, exclusive form, in nodes",
      .summary = "all to all in equal nodes, their c ranks scan a c-th of the vector each between nodes, and back",
      .rounds = "2(c-1) + log2 N, or N+b-2 instead of log2 N",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_blocks = true,
      .varies_with_nodes = true,
      .placement = Placement::equal,
      .flat = "transpose",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
