// SPDX-License-Identifier: MIT
// The parts of a vector by nodes: one part for each node, and in it those of the node's ranks.
#pragma once

#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft {

class NodeParts : public Nodes {
 public:
  NodeParts(int p, const Parts& parts, const Params& params) : Nodes(p, params), parts_(parts) {
    for (int i = 0; i <= count(); ++i) firsts_.push_back(parts.first(i < count() ? first(i) : p));
  }
  NodeParts(const NodeParts&) = delete;
  NodeParts& operator=(const NodeParts&) = delete;

  /// One part for each node.
  Parts of_nodes() const { return {.firsts = firsts_}; }

  /// The parts of node i's ranks, in the whole vector.
  RootedPieces in_node(int i) const { return {parts_, size(i), first(i)}; }

 private:
  const Parts parts_;
  std::pmr::vector<std::int64_t> firsts_;
};

}  // namespace mpigraft
