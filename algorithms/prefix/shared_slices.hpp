// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/pages.hpp"
#include "algorithms/prefix/shared_flat.hpp"

namespace mpigraft::prefix {

/// True if the vector is long enough. The sums for p-1 ranks have to fit into scratch of the vector's length.
inline bool fits_in_slices(int p, std::int64_t m, const Params& params) {
  return slices_fit(p, m, params) && m >= std::int64_t{p} * (p - 1);
}

/// All publish their x in page `page`, and what the others need of the scan S_0, ..., S_(p-1) of their slice in the
/// next one. An exclusive scan needs neither the last x nor the last S, and its rank s gets S_(s-1).
inline List<Value> sums_of_slice(Program& net, bool exclusive, Value x, std::int64_t page) {
  const int p = net.size(), r = net.rank();
  if (r + exclusive < p) net.publish(x, page);
  List<Value> S, others;
  for (int s = 0; s + exclusive < p; ++s) {
    const Value x_s = slices::slice_of(net, x, s, page);
    S.push_back(s > 0 ? net.combine(S.back(), x_s) : x_s);
    if (s != r - exclusive) others.push_back(S.back());
  }
  if (!others.empty()) net.publish(net.join(others), page + 1);
  return S;
}

/// Gathers this rank's S_s, of which it has its `own` slice. Every owner publishes those of all other ranks.
inline void gather_slices(Program& net, bool exclusive, Value own, const Blocks& slices, std::int64_t first,
                          std::int64_t page) {
  const int r = net.rank(), s = r - exclusive;
  for (int owner = 0; owner < net.size(); ++owner) {
    const int place = s - (owner >= exclusive && s > owner - exclusive);
    const std::int64_t length = slices.count(owner);
    net.result(owner == r ? own : net.read(owner, page, length, place * length), first + slices.first(owner));
  }
}

/// Like transpose, through the node's memory, for each block:
///   step 2i    all publish block i; rank r reads slice r of x_0, x_1, ...
///              and turns it into S_0 = x_0, S_s = S_(s-1) (+) x_s,
///   step 2i+1  rank r publishes slice r of all S; rank s gathers S_s, or in an exclusive scan S_(s-1), from all.
/// Vectors too short for this go through shared_flat.
///
/// Example: p = 3, m = 6. 0-1[0-1]<0 is elements 0 and 1 of x_0 (+) x_1, read from rank 0.
///
///   round  rank 0                 rank 1                 rank 2
///       1  1[0-1]<1 2[0-1]<2      0[2-3]<0 2[2-3]<2      0[4-5]<0 1[4-5]<1
///       2  0[2-3]<1 0[4-5]<2      0-1[0-1]<0 0-1[4-5]<2  0-2[0-1]<0 0-2[2-3]<1
///
/// Example, exclusive: p = 3, m = 6.
///
///   round  rank 0                 rank 1                 rank 2
///       1  1[0-1]<1               0[2-3]<0               0[4-5]<0 1[4-5]<1
///       2                         0[0-1]<0 0[4-5]<2      0-1[0-1]<0 0-1[2-3]<1
template <bool exclusive>
void shared_slices(Program& net) {
  if (!fits_in_slices(net.size(), net.length(), net.params())) return shared_flat<exclusive>(net);
  const Blocks cut = in_pages(net.length(), net.params(), net.size());
  const int s = net.rank() - exclusive;
  for (std::int64_t i = 0; i < cut.b; ++i) {
    const List<Value> S = sums_of_slice(net, exclusive, net.input(cut, i), 2 * i);
    if (s >= 0)
      gather_slices(net, exclusive, S[static_cast<std::size_t>(s)], {cut.count(i), net.size()}, cut.first(i),
                    2 * i + 1);
  }
}

template <bool exclusive>
inline constexpr AlgorithmInfo shared_slices_info{
    .paper = "Gorlatch, Lengauer 1997, section 5.3; Graham, Shipman 2008",
    .summary = "all publish a block, every rank scans a p-th of it for all and publishes that",
    .rounds = exclusive ? "2b, 1 for p = 2" : "2b",
    .cuts = Cuts::always,
    .pipelined = true,
    .varies_with_length = true,
    .placement = Placement::one,
    .flat = "transpose",
};

}  // namespace mpigraft::prefix
