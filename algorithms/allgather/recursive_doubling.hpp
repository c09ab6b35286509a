// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::allgather {

/// Invariant: before round d a virtual rank has the parts of the aligned 2^d virtual ranks around it, which are
/// consecutive. Folded ranks give their part first and get all parts last.
///
/// Example: p = 8, m = 8. [0-1]>2 is elements 0 and 1, sent to rank 2.
///
///   round  rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6   rank 7
///       1  [0]>1    [1]>0    [2]>3    [3]>2    [4]>5    [5]>4    [6]>7    [7]>6
///       2  [0-1]>2  [0-1]>3  [2-3]>0  [2-3]>1  [4-5]>6  [4-5]>7  [6-7]>4  [6-7]>5
///       3  [0-3]>4  [0-3]>5  [0-3]>6  [0-3]>7  [4-7]>0  [4-7]>1  [4-7]>2  [4-7]>3
inline void recursive_doubling(Program& net) {
  const Parts parts = net.parts();
  const folded_butterfly::Fold fold(net.size(), 0);
  const int rank = net.rank(), v = fold.to_virtual(rank);
  Value W = net.input_part();
  if (!fold.takes_part(rank)) {
    net.send(W, rank - 1);
    return net.result(net.recv(rank - 1, net.length()));
  }
  if (fold.paired(rank)) W = net.join({{W, net.recv(rank + 1, parts.count(rank + 1))}});
  for (int d = 0; d < fold.rounds; ++d) {
    const int w = v ^ 1 << d, first = fold.to_rank(w >> d << d), end = fold.to_rank(((w >> d) + 1) << d);
    net.send(W, fold.to_rank(w));
    const Value other = net.recv(fold.to_rank(w), parts.first(end) - parts.first(first));
    W = v < w ? net.join({{W, other}}) : net.join({{other, W}});
  }
  net.result(W);
  if (fold.paired(rank)) net.send(W, rank + 1);
}

inline constexpr AlgorithmInfo recursive_doubling_info{
    .paper = "Thakur, Rabenseifner, Gropp 2005; fold of neighbours: own",
    .summary = "partners exchange all they have, for p other than 2^k two messages more",
    .rounds = "floor(log2 p), 2 more unless p = 2^k",
    .scales = true,
};

}  // namespace mpigraft::allgather
