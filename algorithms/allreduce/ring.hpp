// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/allreduce/recursive_doubling.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::allreduce {

/// Every rank talks to its neighbours only. Piece r begins at rank r+1, grows on its way round to rank r, and then goes
/// round once more. Its order of combination begins at r+1, so the operator has to be commutative. With fewer elements
/// than ranks, recursive_doubling runs.
///
/// Example: p = 3, m = 3. [2]>1 is a sum of elements 2, sent to rank 1.
///
///   round  rank 0  rank 1  rank 2
///       1  [2]>1   [0]>2   [1]>0
///       2  [1]>1   [2]>2   [0]>0
///       3  [0]>1   [1]>2   [2]>0
///       4  [2]>1   [0]>2   [1]>0
inline void ring(Program& net) {
  const int p = net.size(), r = net.rank();
  if (net.length() < p) return recursive_doubling(net);
  const Parts pieces = even_parts(net.length(), p);
  const auto input = [&](int i) { return net.input(pieces, i); };
  const int to = (r + 1) % p, from = (r + p - 1) % p;
  Value sum = input((r + p - 1) % p);
  for (int j = 1; j < p; ++j) {
    const int comes = (r + 2 * p - j - 1) % p;
    net.send(sum, to);
    sum = net.combine(net.recv(from, pieces.count(comes)), input(comes));
  }
  piecewise::allgather(net, net, sum, pieces, [](int) { return 1; });
}

inline constexpr AlgorithmInfo ring_info{
    .paper = "Thakur, Rabenseifner, Gropp 2005; Patarasuk, Yuan 2009",
    .summary = "reduce-scatter and allgather round the ring, each rank with its neighbours only, any p",
    .rounds = "2(p-1), about q for m < p",
    .commutative = true,
    .cuts = Cuts::always,
    .varies_with_length = true,
};

}  // namespace mpigraft::allreduce
