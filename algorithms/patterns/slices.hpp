// SPDX-License-Identifier: MIT
// Every block of a vector in p slices, through the memory that all ranks share: rank r combines slice r for all.
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft {

/// True if m elements, and those of a page, are enough for a slice of each of p ranks.
constexpr bool slices_fit(int p, std::int64_t m, const Params& params) {
  return p > 1 && m >= p && page_elements(params) >= p;
}

}  // namespace mpigraft

namespace mpigraft::slices {

/// The own slice of rank s's x, which all publish in page `page`.
inline Value slice_of(const Group& net, Value x, int s, std::int64_t page) {
  const Blocks slices{x.count, net.size()};
  const std::int64_t first = slices.first(net.rank()), count = slices.count(net.rank());
  return s == net.rank() ? part(x, first, count) : net.read(s, page, count, first);
}

/// All publish their x in page `page`, and the ordered sum of their slice, which is returned, in the next one.
inline Value reduce_scatter(const Group& net, Value x, std::int64_t page) {
  net.publish(x, page);
  Value sum = nothing;
  for (int s = net.size() - 1; s >= 0; --s) sum = net.combine(slice_of(net, x, s, page), sum);
  net.publish(sum, page + 1);
  return sum;
}

/// Both phases, block by block. This rank has a result if it `gathers`.
inline void reduce(Program& net, bool gathers) {
  const Blocks cut = in_pages(net.length(), net.params(), net.size());
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const Blocks slices{cut.count(i), net.size()};
    const Value own = reduce_scatter(net, net.input(cut, i), 2 * i);
    for (int owner = 0; gathers && owner < net.size(); ++owner)
      net.result(owner == net.rank() ? own : net.read(owner, 2 * i + 1, slices.count(owner)),
                 cut.first(i) + slices.first(owner));
  }
}

}  // namespace mpigraft::slices
