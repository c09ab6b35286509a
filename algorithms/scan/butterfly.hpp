// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::scan {

/// Invariant: before round k, `partial` is the value of the aligned block of 2^k ranks around r, or of those of its
/// ranks below p that r has heard of, and W that of its ranks up to r. Only the last block can be incomplete, and
/// nobody above it needs its value.
///
/// Example: p = 7, m = 1. 0-2>4 is x_0 (+) x_1 (+) x_2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1  0>1     1>0     2>3     3>2     4>5     5>4
///       2  0-1>2   0-1>3   2-3>0   2-3>1   4-5>6           6>4
///       3  0-3>4   0-3>5   0-3>6           4-6>0   4-5>1   4-6>2
struct butterfly {
  static void text(Program& net) {
    const int p = net.size(), r = net.rank();
    Value W = net.input(), partial = W;
    for (int k = 0; k < ceil_log2(p); ++k) {
      const int partner = r ^ 1 << k;
      net.send(partial, partner);
      const Value in = net.recv(partner, W.count);
      if (partner < r) W = net.combine(in, W);
      partial = partner < r ? net.combine(in, partial) : net.combine(partial, in);
    }
    net.result(W);
  }
  /// Two applications where the partner is the lower rank, one where it is not, and one less in a rank's last round, or
  /// as long as W and `partial` are the same. (In mpich2 the last round also updates `partial`.)
  static constexpr Theorem theorem(int p, std::int64_t m, const Params&) {
    const int q = ceil_log2(p);
    int most = 0;
    for (int r = 0; r < p; ++r) most = std::max(most, applications(r, p));
    return {.rounds = q,
            .applications = most * m,
            .applications_last = applications(p - 1, p) * m,
            .sent = q * m,
            .received = q * m};
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2 (as in mpich2)",
      .summary = "recursive doubling with a partial result beside the prefix",
      .rounds = "q",
      .text = text,
      .theorem = theorem,
  };

 private:
  /// True if rank r has a partner in any round after round k.
  static constexpr bool sends_after(int r, int k, int p) { return r >> (k + 1) > 0 || r + (std::int64_t{2} << k) < p; }
  static constexpr int applications(int r, int p) {
    int n = 0;
    bool same = true;
    for (int k = 0; k < ceil_log2(p); ++k) {
      if ((r ^ 1 << k) >= p) continue;
      const bool lower = r >> k & 1;
      same = same && lower;
      n += same ? 1 : lower + sends_after(r, k, p);
    }
    return n;
  }
};

}  // namespace mpigraft::scan
