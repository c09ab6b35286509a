// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/scan/binomial.hpp"
#include "test/algorithms/costs/cost.hpp"

namespace mpigraft::scan::costs {

/// Rounds of an algorithm of `steps` rounds with a barrier between any two.
constexpr int rounds_with_barriers(int steps, int p) { return steps > 0 ? steps + (steps - 1) * ceil_log2(p) : 0; }

/// The paper states 2 ceil(log2 p) rounds, Huang 2 log2(p) - 1; both are upper bounds.
inline Cost binomial(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const int f = scan::steps_up(p), t = scan::trailing_ones(p - 1), steps = f + scan::steps_down(p);
  return cost_in(params.barrier ? rounds_with_barriers(steps, p) : steps, Tally{f, f, f} * m,
                 (t + (p - 1 >= 1 << t)) * m);
}

/// True if rank r has a partner in any round after round k.
constexpr bool sends_after(int r, int k, int p) { return r >> (k + 1) > 0 || r + (std::int64_t{2} << k) < p; }
constexpr int applications(int r, int p) {
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

/// Two applications where the partner is the lower rank, one where it is not, and one less in a rank's last round, or
/// as long as W and `partial` are the same. (In mpich2 the last round also updates `partial`.)
inline Cost butterfly(int p, std::int64_t m, const Params&) {
  const int q = ceil_log2(p);
  return over_ranks(q, p, [=](int r) { return Tally{applications(r, p), q, q} * m; });
}

inline Cost hillis_steele(int p, std::int64_t m, const Params& params) {
  const int q = ceil_log2(p);
  return cost_in(params.barrier ? rounds_with_barriers(q, p) : q, Tally{q, q, q} * m);
}

}  // namespace mpigraft::scan::costs
