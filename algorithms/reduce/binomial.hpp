// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::reduce {

/// The broadcast tree walked upwards: a head joins its block's value with the neighbouring block's. Only the root has
/// the sum. Invariant: before level k, the sum at a head is the ordered value of its block of 2^k ranks.
inline Value to_root(const Group& net, Value sum, int root) {
  using namespace binomial_tree;
  const int p = net.size(), r = net.rank();
  for (int k = 0; k < ceil_log2(p); ++k) {
    if (head(r, k + 1, root) != r) {
      net.send(sum, head(r, k + 1, root));
      return nothing;
    }
    const int other = sibling(r, k, p, root);
    if (other == none) continue;
    const Value in = net.recv(other, sum.count);
    sum = other > r ? net.combine(sum, in) : net.combine(in, sum);
  }
  return sum;
}

/// Example: p = 8, m = 1, root 0. 2-3>0 is x_2 (+) x_3, sent to rank 0.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1          1>0             3>2             5>4             7>6
///       2                  2-3>0                           6-7>4
///       3                                  4-7>0
inline void binomial(Program& net) { net.result(to_root(net, net.input(), net.params().root)); }

inline constexpr AlgorithmInfo binomial_info{
    .paper = "Sanders, Speck, Traeff 2009, section 2; any root in rank order: own",
    .summary = "binomial tree over aligned blocks, whole messages, rank order kept for every root",
    .rounds = "q",
    .scales = true,
};

}  // namespace mpigraft::reduce
