// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/circulant.hpp"
#include "algorithms/patterns/dissemination.hpp"
#include "algorithms/patterns/piecewise.hpp"

namespace mpigraft::allgather {

inline Blocks cut_in_node(int c, std::int64_t m, const Params& params) {
  return circulant_graph::cut(c, m, params, false);
}

/// Every node gathers at its first rank; the first ranks gather the parts of all nodes and broadcast them in their
/// nodes.
///
/// Example: p = 7, m = 7, blocks of 1, nodes of 2. [0-1]>6 is elements 0 and 1, sent to rank 6.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6
///       1               [1]>0                     [3]>2                     [5]>4
///       2  [0-1]>6                   [2-3]>0                   [4-5]>2                   [6]>4
///       3  [0-3]>4                   [2-5]>6                   [4-6]>0                   [6]+[0-1]>2
///       4  [0]>1                     [0]>3                     [0]>5
///       5  [1]>1                     [1]>3                     [1]>5
///       6  [2]>1                     [2]>3                     [2]>5
///       7  [3]>1                     [3]>3                     [3]>5
///       8  [4]>1                     [4]>3                     [4]>5
///       9  [5]>1                     [5]>3                     [5]>5
///      10  [6]>1                     [6]>3                     [6]>5
inline void hierarchical(Program& net) {
  const NodeParts nodes(net.size(), net.parts(), net.params());
  const Group node = nodes.own(net);
  Value all = piecewise::gather(node, net.input_part(), nodes.in_node(nodes.of(net.rank())));
  const bool is_first = node.rank() == 0;
  if (is_first) {
    all = dissemination::allgather(nodes.lane(net), all, nodes.of_nodes(), circulant_graph::Graph(nodes.count()));
    net.result(all);
  }
  net.begin_round();
  const Blocks blocks = cut_in_node(node.size(), net.length(), net.params());
  const auto block_of = [&](std::int64_t at, std::int64_t count) { return part(all, at, count); };
  if (blocks.b == 1) {
    const Value message = bcast::from_root(node, all, net.length(), 0);
    if (!is_first) net.result(message);
  } else {
    const List<Value> message = bcast::in_rounds(node, blocks, block_of);
    if (!is_first) give(net, blocks, message);
  }
}

inline constexpr AlgorithmInfo hierarchical_info{
    .paper = "Traeff, Hunold 2020, hierarchical; between nodes: Traeff 2024, arXiv:2410.14234",
    .summary = "gather in nodes, between one rank of each on a circulant graph, and broadcast in nodes",
    .rounds = "log2 c + log2 N + n-1 + log2 c",
    .pipelined = true,
    .placement = Placement::consecutive,
    .flat = "bruck",
};

}  // namespace mpigraft::allgather
