// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/circulant.hpp"
#include "algorithms/patterns/dissemination.hpp"

namespace mpigraft::allgather {

/// Number of blocks n. Parts of one length keep all links busy with n = 1. The elements that the longest part has
/// beyond the mean keep only one rank's links busy, so these decide n.
inline std::int64_t circulant_blocks(int p, std::int64_t m, const Parts& parts, const Params& params) {
  const std::int64_t beyond = parts.longest(p) - (m + p - 1) / p;
  if (p < 3 || m < p || beyond <= 0) return 1;
  const Params own{.element_bytes = params.element_bytes, .machine = params.machine};
  return block_count(beyond, own, {static_cast<double>(ceil_log2(p)), 1}, false);
}

/// The blocks of one part, as far as they have come.
struct Broadcast {
  circulant_graph::Schedule schedule;
  std::int64_t first;  // of the part
  Blocks cut;
  List<Value> blocks;

  Value& block(std::int64_t i) { return blocks[static_cast<std::size_t>(i)]; }
};

inline List<Broadcast> broadcasts_of(Program& net, std::int64_t n) {
  const Parts parts = net.parts();
  const int p = net.size(), r = net.rank();
  List<Broadcast> all;
  for (int root = 0; root < p; ++root) {
    if (parts.count(root) == 0) continue;
    all.push_back({{(r - root + p) % p, p, n},
                   parts.first(root),
                   {parts.count(root), n},
                   List<Value>(static_cast<std::size_t>(n))});
    const Blocks& cut = all.back().cut;
    for (std::int64_t i = 0; r == root && i < n; ++i) all.back().block(i) = net.input(cut, i);
  }
  return all;
}

inline void in_blocks(Program& net, std::int64_t n) {
  const circulant_graph::Graph graph(net.size());
  List<Broadcast> broadcasts = broadcasts_of(net, n);
  List<Value> departing;
  List<Value*> arriving;
  for (std::int64_t i = broadcasts[0].schedule.first(); i <= broadcasts[0].schedule.last(); ++i) {
    departing.clear(), arriving.clear();
    std::int64_t count = 0;
    for (Broadcast& each : broadcasts) {
      if (const auto out = each.schedule.sends(i); out.peer != none) departing.push_back(each.block(out.block));
      const auto in = each.schedule.receives(i);
      if (in.peer == none || each.cut.count(in.block) == 0) continue;
      arriving.push_back(&each.block(in.block));
      *arriving.back() = {none, 0, each.cut.count(in.block)};
      count += each.cut.count(in.block);
    }
    const int k = static_cast<int>(i % graph.q);
    const Value message = net.join(departing);
    net.send(message, graph.to(net.rank(), k));
    const Value arrival = net.recv(graph.from(net.rank(), k), count);
    for (std::int64_t first = 0; Value * block : arriving) {
      *block = part(arrival, first, block->count);
      first += block->count;
    }
  }
  for (Broadcast& each : broadcasts)
    for (std::int64_t i = 0; i < n; ++i) net.result(each.block(i), each.first + each.cut.first(i));
}

/// Every rank broadcasts its part in n blocks, all at the same time; all blocks that a rank sends in a round are one
/// message. A single long part then takes little more than its own broadcast. n = 1 takes the fewest rounds, which is
/// best if the parts are alike.
///
/// Example: p = 7, m = 7. [0-1]>5 is elements 0 and 1, sent to rank 5.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6
///       1  [0]>6        [1]>0        [2]>1        [3]>2        [4]>3        [5]>4        [6]>5
///       2  [0-1]>5      [1-2]>6      [2-3]>0      [3-4]>1      [4-5]>2      [5-6]>3      [6]+[0]>4
///       3  [0-2]>3      [1-3]>4      [2-4]>5      [3-5]>6      [4-6]>0      [5-6]+[0]>1  [6]+[0-1]>2
inline void circulant(Program& net) {
  const Parts parts = net.parts();
  const int p = net.size();
  const std::int64_t n = circulant_blocks(p, net.length(), parts, net.params());
  if (n > 1) return in_blocks(net, n);
  net.result(dissemination::allgather(net, net.input_part(), parts, circulant_graph::Graph(p)));
}

inline constexpr AlgorithmInfo circulant_info{
    .paper = "Traeff 2022, arXiv:2205.10072; 2023, arXiv:2312.11236; 2024, arXiv:2407.18004",
    .summary = "all parts broadcast at once in n blocks on a circulant graph, in the fewest rounds, any p",
    .rounds = "n-1+q, n = 1 for equal parts",
    .scales = true,
};

}  // namespace mpigraft::allgather
