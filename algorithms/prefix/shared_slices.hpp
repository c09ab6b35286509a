// SPDX-License-Identifier: MIT
// Everybody scans a p-th of each block for everybody, straight from what all publish.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/phases/slices.hpp"
#include "algorithms/prefix/shared_flat.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// ByTranspose without its two all-to-alls. All publish block i. Rank r reads slice r of x_0, ..., x_(p-1), turns it
/// into S_0, ..., S_(p-1), and publishes these but its own one. Rank s gathers S_s, in an exclusive scan S_(s-1).
/// Vectors too short for so many slices go through the pages as they are.
template <bool exclusive>
class BySlices {
 public:
  /// True if the vector is long enough. The sums for p-1 ranks have to fit into scratch of the vector's length.
  static constexpr bool fits(int p, std::int64_t m, const Params& params) {
    return slices_fit(p, m, params) && m >= std::int64_t{p} * (p - 1);
  }

  static void text(Program& net) {
    if (!fits(net.size(), net.length(), net.params())) return ThroughPages<exclusive>::text(net);
    const Blocks cut = in_pages(net.length(), net.params(), net.size());
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const List<Value> S = sums_of_slice(net, net.input(cut.first(i), cut.count(i)), 2 * i);
      if (takes(net.rank()))
        gather(net, S[static_cast<std::size_t>(net.rank() - shift)], cut.first(i), cut.count(i), 2 * i + 1);
    }
  }

 private:
  static constexpr int shift = exclusive ? 1 : 0;
  /// All publish their x in page `page`, and what the others need of their S_0, ..., S_(p-1) in the next one.
  static List<Value> sums_of_slice(Program& net, Value x, std::int64_t page) {
    const int p = net.size(), r = net.rank();
    if (gives(r, p)) net.publish(x, page);
    List<Value> S, others;
    for (int s = 0; s + shift < p; ++s) {
      const Value x_s = slices::slice_of(net, x, s, page);
      S.push_back(s > 0 ? net.combine(S.back(), x_s) : x_s);
      if (s != r - shift) others.push_back(S.back());
    }
    if (!others.empty()) net.publish(net.join(others), page + 1);
    return S;
  }

  /// Gathers S_s, or S_(s-1), for this rank s, of which it has slice s.
  static void gather(Program& net, Value own, std::int64_t first, std::int64_t count, std::int64_t page) {
    const int r = net.rank();
    const Blocks slices{count, net.size()};
    for (int owner = 0; owner < net.size(); ++owner) {
      const std::int64_t length = slices.count(owner), from = place(r - shift, owner) * length;
      net.result(owner == r ? own : net.read(owner, page, length, from), first + slices.first(owner));
    }
  }

  /// The place of S_s among those that `owner` publishes.
  static constexpr int place(int s, int owner) { return s - (owner >= shift && s > owner - shift); }
  /// `gives`: some rank needs x_s. `takes`: rank s has a result.
  static constexpr bool gives(int s, int p) { return s + shift < p; }
  static constexpr bool takes(int s) { return s >= shift; }
};

}  // namespace mpigraft::prefix
