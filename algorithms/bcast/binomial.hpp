// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::bcast {

/// The root's `message` of `count` elements, at every rank. From the top level down, the head of a block that has the
/// message passes it to the head of the other half.
inline Value from_root(const Group& net, Value message, std::int64_t count, int root) {
  using namespace binomial_tree;
  const int p = net.size(), r = net.rank();
  for (int k = ceil_log2(p) - 1; k >= 0; --k) {
    const int other = partner(r, k, p, root);
    if (head(r, k + 1, root) == r)
      net.send(message, other);
    else if (other != none)
      message = net.recv(other, count);
  }
  return message;
}

/// Example: p = 8, m = 1, root 0. 0>4 is x_0, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>4
///       2  0>2                             0>6
///       3  0>1             0>3             0>5             0>7
inline void binomial(Program& net) {
  const int root = net.params().root;
  net.result(from_root(net, net.rank() == root ? net.input() : nothing, net.length(), root));
}

inline constexpr AlgorithmInfo binomial_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2",
    .summary = "binomial tree, whole messages, any root",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::bcast
