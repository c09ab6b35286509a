// SPDX-License-Identifier: MIT
// Every rank reads what the lower ones publish.
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Rank r combines x_(r-1), ..., x_0, in this order, with x_r, or with one another in an exclusive scan. No rank waits
/// for another's sum, so that one step is enough; the price is p-1 applications (exclusively p-2) at rank p-1.
template <bool exclusive>
struct ThroughPages {
  static void text(Program& net) {
    const int p = net.size(), r = net.rank();
    const Blocks cut = in_pages(net.length(), net.params());
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Value x = net.input(cut.first(i), cut.count(i));
      if (r + 1 < p) net.publish(x, i);
      Value sum = exclusive ? nothing : x;
      for (int s = r - 1; s >= 0; --s) sum = net.combine(net.read(s, i, x.count), sum);
      net.result(sum, cut.first(i));
    }
  }

  /// A rank publishes a block once it has read those before it, and rank 0 reads nothing: rank r publishes its first
  /// r + 1 blocks one after the other, and then all that is left at once.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const std::int64_t joins = (p - 1 - shift) * m;
    return {.rounds = static_cast<int>(std::min<std::int64_t>(in_pages(m, params).b, p - 1)),
            .applications = joins,
            .applications_last = joins,
            .sent = m,
            .received = (p - 1) * m};
  }

 private:
  static constexpr int shift = exclusive ? 1 : 0;
};

}  // namespace mpigraft::prefix
