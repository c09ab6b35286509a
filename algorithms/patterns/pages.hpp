// SPDX-License-Identifier: MIT
// Cuts a vector into pages to publish: as few blocks as pages allow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/patterns/blocks.hpp"

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

}  // namespace mpigraft
