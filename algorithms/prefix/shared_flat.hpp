// SPDX-License-Identifier: MIT
// Every rank reads what the lower ones publish.
#pragma once

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
};

}  // namespace mpigraft::prefix
