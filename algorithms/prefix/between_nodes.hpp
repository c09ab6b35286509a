// SPDX-License-Identifier: MIT
// The exclusive scan between nodes, among one rank of each.
#pragma once

#include <vector>

#include "algorithms/exscan/by_pattern.hpp"
#include "algorithms/info.hpp"
#include "algorithms/patterns/bit_pattern.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Number of blocks of a chain of N last ranks, or 0 for doubling, where a rank sends whole totals in up to
/// ceil(log2(N-1)) + 1 rounds. A segment that cuts the vector selects the chain; otherwise the cheaper of both in the
/// linear model is selected.
inline std::int64_t blocks_between(int N, std::int64_t m, const Params& params) {
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, true), bytes = m * params.element_bytes;
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double each = static_cast<double>(bytes) / static_cast<double>(b);
  const double chain =
      static_cast<double>(N - 2 + b) * (machine.latency + each * (machine.per_byte + machine.combine_per_byte));
  return chain < cost(pattern_1(N), bytes, machine) ? b : 0;
}

/// P, the totals of the nodes before, and P (+) T of the own node, if that was made.
struct Prefixes {
  Value before, through;
};

/// Of the totals T_0, T_1, ... gives node i P = T_0 (+) ... (+) T_(i-1): along a chain in cut.b blocks, or by doubling
/// if cut.b is 0. total(first, count) are elements of the own one.
template <class Total>
Prefixes exscan_between(Group& net, Blocks cut, Total total) {
  if (cut.b == 0) return {exscan::by_pattern(net, total(0, cut.m), pattern_1(net.size())), nothing};
  List<Value> T, before, through;
  for (std::int64_t k = 0; k < cut.b; ++k) T.push_back(total(cut.first(k), cut.count(k)));
  net.overlap(cut.b > 1 ? Overlap::all : Overlap::none);
  for (std::int64_t k = 0; k < cut.b; ++k) {
    before.push_back(net.recv(net.rank() - 1, cut.count(k)));
    through.push_back(net.combine(before.back(), T[static_cast<std::size_t>(k)]));
    net.send(through.back(), net.rank() + 1);
  }
  net.overlap(Overlap::none);
  return {net.join(before), net.join(through)};
}

}  // namespace mpigraft::prefix
