// SPDX-License-Identifier: MIT
// Cuts a vector into pages to publish, as few blocks as pages allow, and every block in p slices, through the memory
// that all ranks share: rank r combines slice r for all.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/program.hpp"

namespace mpigraft {

/// Limit for the blocks that a rule's tiny segment asks for.
inline constexpr std::int64_t most_page_blocks = std::int64_t{1} << 18;

/// Elements that fit into a page, at least one.
constexpr std::int64_t page_elements(const Params& params) {
  return std::max<std::int64_t>(1, page_bytes / params.element_bytes);
}

/// Cuts m elements into blocks that fit into pages, and into the rule's segment, also if each is rounded up to a
/// multiple of `slices`. REQUIRES: a page has at least `slices` elements.
constexpr Blocks in_pages(std::int64_t m, const Params& params, int slices = 1) {
  if (slices == 1 && params.segment == 0 && m * params.element_bytes <= page_bytes) return {m, 1};  // no divisions
  const auto blocks = [=](std::int64_t length) {
    const std::int64_t rounded = std::max<std::int64_t>(length / slices, 1) * slices;
    return std::max<std::int64_t>((m - 1) / rounded + 1, 1);  // does not overflow for a huge segment
  };
  const std::int64_t fewest = blocks(page_elements(params));
  if (params.segment == 0) return {m, fewest};
  const std::int64_t asked = blocks(params.segment / params.element_bytes);
  return {m, asked > fewest && asked <= most_page_blocks ? asked : fewest};
}

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
