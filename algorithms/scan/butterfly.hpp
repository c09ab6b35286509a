// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/ordered_sum.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/transport.hpp"

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
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    OrderedSum<T> partial{net, V, net.scratch(V.count), net.scratch(V.count), {}};
    net.copy(V, W);
    net.copy(V, partial.value);
    for (int k = 0; k < ceil_log2(p); ++k) {
      const int partner = r ^ 1 << k;
      if (partner >= p) continue;
      net.sendrecv(partial.value, partner, partial.in, partner);
      if (partner < r) net.combine(partial.in, W);
      if (sends_after(r, k, p)) partial.join(0, V.count, partner > r);
    }
  }
  /// Two applications where the partner is the lower rank, one where it is not, and one less in a rank's last round.
  /// (In mpich2 the last round also updates `partial`.)
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
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "Sanders, Traeff 2006, section 2 (as in mpich2)",
      .summary = "recursive doubling with a partial result beside the prefix",
      .rounds = "q",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// True if rank r has a partner in any round after round k.
  static constexpr bool sends_after(int r, int k, int p) { return r >> (k + 1) > 0 || r + (std::int64_t{2} << k) < p; }
  static constexpr int applications(int r, int p) {
    int n = 0;
    for (int k = 0; k < ceil_log2(p); ++k)
      if ((r ^ 1 << k) < p) n += (r >> k & 1) + sends_after(r, k, p);
    return n;
  }
};

}  // namespace mpigraft::scan
