// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// The vector in b blocks. Rank r receives T_i = x_0 (+) ... (+) x_(r-1) of block i and sends T_i (+) x_i; meanwhile
/// the next block comes. An inclusive scan keeps what it sends, an exclusive one what it receives.
inline void along_chain(Program& net, bool exclusive, std::int64_t b) {
  const int r = net.rank();
  const Blocks cut = net.segments(b);
  for (std::int64_t i = 0; i < b; ++i) {
    const Value T_i = net.recv(r - 1, cut.count(i));
    const Value sum = net.combine(T_i, net.input(cut, i));
    net.send(sum, r + 1);
    net.result(exclusive ? T_i : sum, cut.first(i));
  }
}

inline std::int64_t blocks_of_chain(int p, std::int64_t m, const Params& params) {
  return block_count(m, params, {p - 1.0, 1}, true);
}

/// A chain of all ranks, block after block: block i passes from rank r to rank r+1 in round r+i+1.
///
/// Example: p = 5, m = 3, blocks of 1. 0-1[0]>2 is element 0 of x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0    rank 1    rank 2    rank 3    rank 4
///       1  0[0]>1
///       2  0[1]>1    0-1[0]>2
///       3  0[2]>1    0-1[1]>2  0-2[0]>3
///       4            0-1[2]>2  0-2[1]>3  0-3[0]>4
///       5                      0-2[2]>3  0-3[1]>4
///       6                                0-3[2]>4
template <bool exclusive>
void linear_pipeline(Program& net) {
  along_chain(net, exclusive, blocks_of_chain(net.size(), net.length(), net.params()));
}

template <bool exclusive>
inline constexpr AlgorithmInfo linear_pipeline_info{
    .paper = exclusive ? "Sanders, Speck, Traeff 2009, section 6.3, exclusive form"
                       : "Sanders, Speck, Traeff 2009, section 6.3",
    .summary = "a chain of all ranks, block after block: least work and volume",
    .rounds = "p+b-2",
    .cuts = Cuts::blocks,
};

}  // namespace mpigraft::prefix
