// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/patterns/pages.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/shared_slices.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::prefix::costs {

inline Cost along_chain(bool exclusive, int p, std::int64_t m, std::int64_t b) {
  const std::int64_t moved = p > 1 ? m : 0;
  return {.rounds = p > 1 ? static_cast<int>(p - 1 + b - 1) : 0,
          .applications = p > (exclusive ? 2 : 1) ? m : 0,
          .applications_last = exclusive ? 0 : moved,
          .sent = moved,
          .received = moved};
}

template <bool exclusive>
Cost linear_pipeline(int p, std::int64_t m, const Params& params) {
  return along_chain(exclusive, p, m, blocks_of_chain(p, m, params));
}

/// A rank publishes a block once it has read those before it, and rank 0 reads nothing: rank r publishes its first
/// r + 1 blocks one after the other, and then all that is left at once.
template <bool exclusive>
Cost shared_flat(int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  const std::int64_t joins = (p - 1 - exclusive) * m;
  return {.rounds = static_cast<int>(std::min<std::int64_t>(in_pages(m, params).b, p - 1)),
          .applications = joins,
          .applications_last = joins,
          .sent = m,
          .received = (p - 1) * m};
}

/// Elements that rank r, which has `mine` of the m elements to combine, receives where all exchange with all: `gives`
/// unless it is the last of an exclusive scan, and `takes` unless it is the first.
constexpr std::int64_t received(bool exclusive, int r, int p, std::int64_t mine, std::int64_t m) {
  const bool gives = r + exclusive < p, takes = r >= exclusive;
  return (p - exclusive - gives) * mine + (takes ? m - mine : 0);
}

template <bool exclusive>
Cost shared_slices(int p, std::int64_t m, const Params& params) {
  if (!fits_in_slices(p, m, params)) return shared_flat<exclusive>(p, m, params);
  const Blocks cut = in_pages(m, params, p);
  const slices::Slices all(cut, p);
  const int joins = p - 1 - exclusive;
  const auto received_by = [&](int r) { return received(exclusive, r, p, all.of(r), all.m()); };
  return {.rounds = exclusive && p == 2 ? 1 : static_cast<int>(2 * cut.b),
          .applications = joins * all.of(0),
          .applications_last = joins * all.of(p - 1),
          .sent = m + (p - 1) * all.of(0),
          .received = std::max({received_by(0), received_by(1), received_by(p - 1)})};
}

/// Every owner receives from p-1 ranks, then sends to p-1; all give but the last rank of an exclusive scan, and all
/// take but its first.
template <bool exclusive>
Cost transpose(int p, std::int64_t m, const Params&) {
  if (m < p) return along_chain(exclusive, p, m, 1);
  if (p == 1) return {};
  const Blocks pieces{m, p};
  const int joins = p - 1 - exclusive;
  const auto received_by = [&](int r) { return received(exclusive, r, p, pieces.count(r), m); };
  return {.rounds = 2 * (p - 1),
          .applications = joins * pieces.count(0),
          .applications_last = joins * pieces.count(p - 1),
          .sent = m + (p - 2) * pieces.count(0),
          .received = std::max({received_by(0), received_by(1), received_by(p - 1)})};
}

}  // namespace mpigraft::prefix::costs
