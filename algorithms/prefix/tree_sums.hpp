// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// A block at a node of an in-order tree: the rank's own x, the sums L and R of its subtrees, and the prefix P of all
/// ranks before them, `nothing` until they have come.
///   up:   L (+) x (+) R              to the parent
///   down: P                          to the left child
///         P (+) L (+) x              to the right child; the inclusive result
///         P (+) L                    the exclusive result
/// A sum is made where a text first asks for it. `R_first`: R is there before L.
struct TreeSums {
  Value x, L = nothing, R = nothing, P = nothing;

  Value total(const Group& net, bool R_first) const {
    return R_first ? net.combine(L, net.combine(x, R)) : net.combine(net.combine(L, x), R);
  }
  Value result(const Group& net, bool exclusive) const { return net.combine(P, exclusive ? L : net.combine(L, x)); }
  /// What goes to the right child; exclusively where R came first, L (+) x was not needed before.
  Value through(const Group& net, bool exclusive, bool R_first) const {
    return exclusive && R_first ? net.combine(result(net, exclusive), x) : net.combine(P, net.combine(L, x));
  }
};

/// Those of all segments, with x.
inline List<TreeSums> tree_sums(Program& net, const Blocks& cut) {
  List<TreeSums> all;
  for (std::int64_t i = 0; i < cut.b; ++i) all.push_back({net.input(cut, i)});
  return all;
}

}  // namespace mpigraft::prefix
