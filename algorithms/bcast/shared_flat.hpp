// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::bcast {

/// Each block is written once, for all to read.
///
/// Example: p = 8, m = 1, root 0. 0<0 is x_0, read from rank 0.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1          0<0     0<0     0<0     0<0     0<0     0<0     0<0
inline void shared_flat(Program& net) {
  const int root = net.params().root;
  const Blocks cut = in_pages(net.length(), net.params());
  for (std::int64_t i = 0; i < cut.b; ++i) {
    if (net.rank() != root)
      net.result(net.read(root, i, cut.count(i)), cut.first(i));
    else if (net.size() > 1)
      net.publish(net.input(cut, i), i);
  }
}

inline constexpr AlgorithmInfo shared_flat_info{
    .paper = "Graham, Shipman 2008",
    .summary = "the root publishes blocks in the node's memory, all read them",
    .rounds = "1",
    .pipelined = true,
    .scales = true,
    .placement = Placement::one,
    .flat = "binomial",
};

}  // namespace mpigraft::bcast
