// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/patterns/pages.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/shared_slices.hpp"
#include "test/algorithms/costs/phases.hpp"

namespace mpigraft::prefix::costs {

inline Cost along_chain(bool exclusive, int p, std::int64_t m, std::int64_t b) {
  if (p == 1) return {};
  return cost_in(p - 1 + b - 1, {p == 2 && exclusive ? 0 : m, m, m}, exclusive ? 0 : m);
}

inline Cost linear_pipeline(bool exclusive, int p, std::int64_t m, const Params& params) {
  return along_chain(exclusive, p, m, blocks_of_chain(p, m, params));
}

/// A rank publishes a block once it has read those before it, and rank 0 reads nothing: rank r publishes its first
/// r + 1 blocks one after the other, and then all that is left at once.
inline Cost shared_flat(bool exclusive, int p, std::int64_t m, const Params& params) {
  if (p == 1) return {};
  return cost_in(std::min<std::int64_t>(in_pages(m, params).b, p - 1), Tally{p - 1 - exclusive, 1, p - 1} * m);
}

/// Elements of the rank that receives most where all exchange with all, and rank r combines of(r) of the m elements:
/// it `gives` its own unless it is the last of an exclusive scan, and `takes` results unless it is the first.
template <class Of>
constexpr std::int64_t most_received(bool exclusive, int p, std::int64_t m, Of of) {
  const auto received = [&](int r) {
    const bool gives = r + exclusive < p, takes = r >= exclusive;
    return (p - exclusive - gives) * of(r) + (takes ? m - of(r) : 0);
  };
  return std::max({received(0), received(1), received(p - 1)});
}

inline Cost shared_slices(bool exclusive, int p, std::int64_t m, const Params& params) {
  if (!fits_in_slices(p, m, params)) return shared_flat(exclusive, p, m, params);
  const Blocks cut = in_pages(m, params, p);
  const slices::Slices all(cut, p);
  const int joins = p - 1 - exclusive;
  const std::int64_t received = most_received(exclusive, p, m, [&](int r) { return all.of(r); });
  return cost_in(exclusive && p == 2 ? 1 : 2 * cut.b, {joins * all.of(0), m + (p - 1) * all.of(0), received},
                 joins * all.of(p - 1));
}

/// Every owner receives from p-1 ranks, then sends to p-1; all give but the last rank of an exclusive scan, and all
/// take but its first.
inline Cost transpose(bool exclusive, int p, std::int64_t m, const Params&) {
  if (m < p) return along_chain(exclusive, p, m, 1);
  if (p == 1) return {};
  const Blocks pieces{m, p};
  const int joins = p - 1 - exclusive;
  const std::int64_t received = most_received(exclusive, p, m, [&](int r) { return pieces.count(r); });
  return cost_in(2 * (p - 1), {joins * pieces.count(0), m + (p - 2) * pieces.count(0), received},
                 joins * pieces.count(p - 1));
}

}  // namespace mpigraft::prefix::costs
