// SPDX-License-Identifier: MIT
// The parts of a vector by nodes: of the ranks of one node, and of whole nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/parts.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/rooted_pieces.hpp"

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
  Block of_node(Block whole, int i) const { return whole.part(of_nodes().first(i), of_nodes().count(i)); }

  /// Those of node i's ranks, in the whole vector; they are in `memory` as long as they are used.
  RootedPieces in_node(int i, std::vector<std::int64_t>& memory) const {
    memory.clear();
    for (int r = first(i); r <= last(i) + 1; ++r) memory.push_back(parts_.first(r));
    return {Parts{.firsts = memory}, size(i), 0};
  }

 private:
  const Parts parts_;
  std::vector<std::int64_t> firsts_;
};

}  // namespace mpigraft
