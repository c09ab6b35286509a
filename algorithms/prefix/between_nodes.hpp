// SPDX-License-Identifier: MIT
// The exclusive scan between nodes, among one rank of each.
#pragma once

#include "algorithms/exscan/doubling_1.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::prefix {

/// P := T_0 (+) ... (+) T_(i-1) at node i > 0. Along a chain of cut.b blocks, `through` := P (+) T_i is sent to the
/// next node; an inclusive scan also uses it. If cut.b is 0 doubling runs, which leaves `through` alone; then T_i may
/// be in scratch.
template <bool exclusive, AsyncTransport T>
void exscan_between(T& net, Block T_i, Block P, Block through, Blocks cut) {
  if (cut.b == 0) return exscan::doubling_1::run(net, {T_i, P}, {});
  const int i = net.rank();
  const bool sends = i + 1 < net.size(), receives = i > 0;
  Inbox in(net);
  Outbox out(net);
  if (receives) in.expect(cut.of(P, 0), i - 1);
  for (std::int64_t k = 0; k < cut.b; ++k) {
    if (receives) in.take();
    if (receives && k + 1 < cut.b) in.expect(cut.of(P, k + 1), i - 1);
    if (receives && (sends || !exclusive)) net.combine(cut.of(P, k), cut.of(T_i, k), cut.of(through, k));
    if (sends) out.send(cut.of(receives ? through : T_i, k), i + 1);
  }
  out.finish();
}

}  // namespace mpigraft::prefix
