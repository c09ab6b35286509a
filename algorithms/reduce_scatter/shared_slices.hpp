// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/patterns/pages.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::reduce_scatter {

constexpr bool fits_into_page(std::int64_t m, const Params& params) { return in_pages(m, params).b == 1; }

/// A vector that fits into a page is published whole, and every rank sums its part of all. For a longer one, every rank
/// publishes each other rank's part, block by block.
///
/// Example: p = 4, m = 4. 3[0]<3 is element 0 of x_3, read from rank 3.
///
///   round  rank 0                rank 1                rank 2                rank 3
///       1  3[0]<3 2[0]<2 1[0]<1  0[1]<0 3[1]<3 2[1]<2  1[2]<1 0[2]<0 3[2]<3  2[3]<2 1[3]<1 0[3]<0
inline void shared_slices(Program& net) {
  const int p = net.size(), r = net.rank();
  const Parts parts = net.parts();
  const Value V = net.input();
  const bool whole = fits_into_page(V.count, net.params());
  const Blocks cut = whole ? Blocks{parts.count(r), 1} : in_pages(parts.longest(p), net.params());
  if (whole && p > 1) net.publish(V, 0);
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const std::int64_t first = i * cut.count(0);
    const auto block = [&](int owner) {
      const std::int64_t skipped = std::min(first, parts.count(owner));
      return part(V, parts.first(owner) + skipped, std::min(cut.count(0), parts.count(owner) - skipped));
    };
    const Value own = block(r);
    const auto exchange = [&](int owner, int from) {
      if (whole) return net.read(from, 0, own.count, parts.first(r));
      const std::int64_t page = i * (p - 1) + (owner - r + p) % p - 1;
      net.publish(block(owner), page);
      return net.read(from, page, own.count);
    };
    net.result(piecewise::sum_of_own(net, own, exchange), std::min(first, parts.count(r)));
  }
}

inline constexpr AlgorithmInfo shared_slices_info{
    .paper = "Rabenseifner 2004; Graham, Shipman 2008",
    .summary = "parts published in the node's memory, or short vectors, for each rank to sum its own, rank order kept",
    .rounds = "1, or b(p-1)",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .placement = Placement::one,
    .flat = "pairwise",
};

}  // namespace mpigraft::reduce_scatter
