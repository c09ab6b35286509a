// SPDX-License-Identifier: MIT
// Everybody scans a p-th of each block for everybody, straight from what all publish.
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/slices.hpp"
#include "algorithms/prefix/shared_flat.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::prefix {

/// ByTranspose without its two all-to-alls. All publish block i. Rank r reads slice r of x_0, ..., x_(p-1), turns it
/// into S_0, ..., S_(p-1), and publishes these but its own one. Rank s gathers S_s, in an exclusive scan S_(s-1).
/// Vectors too short for so many slices go through the pages as they are.
template <bool exclusive>
class BySlices {
 public:
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (!fits(p, V.count, params)) return ThroughPages<exclusive>::run(net, operands, params);
    const Blocks cut = in_pages(V.count, params, p);
    const std::int64_t longest = Slices(cut, p).longest();
    const Block S = net.scratch(longest, p - 1), own = net.scratch(longest);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block x = cut.of(V, i), sum = cut.of(W, i);
      const Blocks slices{x.count, p};
      const std::int64_t mine = slices.count(r);
      const auto S_of = [&](int s) { return s == r - shift ? own.part(0, mine) : S.part(place(s, r) * mine, mine); };
      if (gives(r, p)) net.publish(x, 2 * i);
      for (int s = 0; s + shift < p; ++s) {
        if (s == r)
          net.copy(slices.of(x, r), S_of(r));
        else
          net.read({.owner = s, .step = 2 * i, .first = slices.first(r)}, S_of(s));
        if (s > 0) net.combine(S_of(s - 1), S_of(s));
      }
      if (const int others = p - shift - takes(r); others > 0) net.publish(S.part(0, others * mine), 2 * i + 1);
      for (int owner = 0; takes(r) && owner < p; ++owner) {
        const Block slice = slices.of(sum, owner);
        if (owner == r)
          net.copy(S_of(r - shift), slice);
        else
          net.read({.owner = owner, .step = 2 * i + 1, .first = place(r - shift, owner) * slice.count}, slice);
      }
    }
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (!fits(p, m, params)) return ThroughPages<exclusive>::theorem(p, m, params);
    const Blocks cut = in_pages(m, params, p);
    const Slices all(cut, p);
    const int joins = p - 1 - shift;
    return {.rounds = exclusive && p == 2 ? 1 : static_cast<int>(2 * cut.b),
            .applications = joins * all.of(0),
            .applications_last = joins * all.of(p - 1),
            .sent = m + (p - 1) * all.of(0),
            .received = std::max({received(0, p, all), received(1, p, all), received(p - 1, p, all)})};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    if (!fits(p, m, params)) return ThroughPages<exclusive>::scratch(p, m, params);
    return p * Slices(in_pages(m, params, p), p).longest();
  }

 private:
  static constexpr int shift = exclusive ? 1 : 0;
  /// True if the vector is long enough. The sums for p-1 ranks may have no more elements than the vector, because
  /// scratch for interleaved elements has no room for more.
  static constexpr bool fits(int p, std::int64_t m, const Params& params) {
    return slices_fit(p, m, params) && m >= std::int64_t{p} * (p - 1);
  }
  /// The place of S_s among those that `owner` publishes.
  static constexpr int place(int s, int owner) { return s - (owner >= shift && s > owner - shift); }
  /// `gives`: some rank needs x_s. `takes`: rank s has a result.
  static constexpr bool gives(int s, int p) { return s + shift < p; }
  static constexpr bool takes(int s) { return s >= shift; }

  static constexpr std::int64_t received(int r, int p, const Slices& all) {
    const int givers = p - shift - gives(r, p);
    return givers * all.of(r) + (takes(r) ? all.m() - all.of(r) : 0);
  }
};

}  // namespace mpigraft::prefix
