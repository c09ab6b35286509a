// SPDX-License-Identifier: MIT
// The linear pipeline: block i of a prefix passes from rank r to rank r+1 in round r+i+1.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Rank r receives T_i = x_0 (+) ... (+) x_(r-1) of block i and sends T_i (+) x_i. An inclusive scan keeps what it
/// sends, an exclusive one what it receives.
template <bool exclusive>
void along_chain(Program& net, std::int64_t b) {
  const int r = net.rank();
  const Segments x = net.input_segments(b);
  for (std::int64_t i = 0; i < b; ++i) {
    const Value T_i = net.recv(r - 1, x.count(i));
    const Value sum = net.combine(T_i, x[i]);
    net.send(sum, r + 1);
    net.result(exclusive ? T_i : sum, x.first(i));
  }
}

template <class A, bool exclusive>
struct AlongChain {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {p - 1.0, 1}, true);
  }
  static void text(Program& net) { along_chain<exclusive>(net, blocks(net.size(), net.length(), net.params())); }
};

}  // namespace mpigraft::prefix
