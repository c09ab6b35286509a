// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mpigraft {

/// A vector cut into one part for each rank, in rank order. Without `firsts`, parts have `each` elements, and the first
/// `longer` of them one more. With `firsts`, part r is [firsts[r], firsts[r + 1]). A part may be empty.
struct Parts {
  std::int64_t each = 0;
  std::span<const std::int64_t> firsts = {};
  std::int64_t longer = 0;

  constexpr std::int64_t first(int r) const {
    return firsts.empty() ? r * each + std::min<std::int64_t>(r, longer) : firsts[static_cast<std::size_t>(r)];
  }
  constexpr std::int64_t count(int r) const { return first(r + 1) - first(r); }

  /// The length of the shortest of p parts.
  constexpr std::int64_t shortest(int p) const {
    if (firsts.empty()) return count(p - 1);
    std::int64_t least = count(0);
    for (int r = 1; r < p; ++r) least = std::min(least, count(r));
    return least;
  }
  /// The parts from number r on, as a vector of their own; with `firsts`, these are as in the whole one.
  constexpr Parts from(int r) const {
    if (!firsts.empty()) return {.firsts = firsts.subspan(static_cast<std::size_t>(r))};
    return {.each = each, .longer = std::max<std::int64_t>(longer - r, 0)};
  }
  constexpr std::int64_t longest(int p) const {
    std::int64_t most = count(0);
    for (int r = 1; r < p && !firsts.empty(); ++r) most = std::max(most, count(r));
    return most;
  }
};

/// m elements in p parts whose lengths differ by one at most.
constexpr Parts even_parts(std::int64_t m, int p) { return {.each = m / p, .longer = m % p}; }

/// The parts, here pieces, in the order in which rank r stores them: its own first, then those of the ranks after it,
/// modulo p.
struct Pieces {
  Parts parts;
  int p, r;

  constexpr std::int64_t m() const { return parts.first(p); }
  /// Elements stored before the piece of rank r + i, modulo p.
  constexpr std::int64_t at(int i) const {
    return (r < p - i ? parts.first(r + i) : m() + parts.first(r + i - p)) - parts.first(r);
  }

  /// Elements before the own piece in the vector; they are stored last.
  constexpr std::int64_t before() const { return parts.first(r); }
  constexpr std::int64_t after() const { return m() - before(); }
};

}  // namespace mpigraft
