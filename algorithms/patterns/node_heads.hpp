// SPDX-License-Identifier: MIT
// One rank of every node, for broadcasts and reductions: the root in its own node, the first rank in the others.
#pragma once

#include <cstdint>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft {

class NodeHeads : public Nodes {
 public:
  NodeHeads(int p, const Params& params) : Nodes(p, params), root_(params.root), root_node_(of(params.root)) {}

  int root_node() const { return root_node_; }
  int head(int i) const { return i == root_node_ ? root_ : first(i); }

 private:
  const int root_, root_node_;
};

/// Number of blocks in a pipelined chain of N heads, or 0 for a binomial tree of whole messages. A segment that cuts
/// the message selects the chain; otherwise the cheaper of both in the linear model is selected.
inline std::int64_t blocks_between_heads(int N, std::int64_t m, const Params& params, bool combines) {
  if (N == 1) return 0;
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, combines);
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double whole =
      static_cast<double>(m * params.element_bytes) * (machine.per_byte + (combines ? machine.combine_per_byte : 0));
  const double chain = static_cast<double>(N - 2 + b) * (machine.latency + whole / static_cast<double>(b));
  return chain < ceil_log2(N) * (machine.latency + whole) ? b : 0;
}

}  // namespace mpigraft
