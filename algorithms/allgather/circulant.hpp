// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/phases/dissemination.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allgather {

/// Every rank broadcasts its part in n blocks, all at the same time; all blocks that a rank sends in a round are one
/// message. A single long part then takes little more than its own broadcast. n = 1 takes the fewest rounds, which is
/// best if the parts are alike.
struct circulant {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    const Parts& parts = operands.parts;
    const int p = net.size(), r = net.rank();
    const std::int64_t n = blocks(p, W.count, parts, params);
    net.copy(operands.input, W.part(parts.first(r), parts.count(r)));
    const Block room = net.scratch(room_of(p, W.count, parts, n), n > 1 ? 2 : 1);
    if (n == 1)
      dissemination::allgather(net, W, room, parts, circulant_graph::Graph(p));
    else
      run_in_blocks(net, W, room, parts, n);
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    using namespace circulant_graph;
    const Parts parts = parts_of(p, m, params);
    const std::int64_t n = blocks(p, m, parts, params);
    if (n == 1) return dissemination::theorem_of(p, m, parts, Graph(p));
    Theorem stated{.rounds = static_cast<int>(n) - 1 + ceil_log2(p), .received = m - parts.shortest(p)};
    for (int r = 0; r < p; ++r) {
      std::int64_t passed = 0;
      for (int root = 0; root < p; ++root) passed += Schedule(r, p, root, n).sent({parts.count(root), n});
      stated.sent = std::max(stated.sent, passed);
    }
    return stated;
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Parts parts = parts_of(p, m, params);
    const std::int64_t n = blocks(p, m, parts, params);
    return (n > 1 ? 2 : 1) * room_of(p, m, parts, n);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Traeff 2022, arXiv:2205.10072; 2023, arXiv:2312.11236; 2024, arXiv:2407.18004",
      .summary = "all parts broadcast at once in n blocks on a circulant graph, in the fewest rounds, any p",
      .rounds = "n-1+q, n = 1 for equal parts",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// Number of blocks n. Parts of one length keep all links busy with n = 1. The elements that the longest part has
  /// beyond the mean keep only one rank's links busy, so these decide n.
  static std::int64_t blocks(int p, std::int64_t m, const Parts& parts, const Params& params) {
    const std::int64_t beyond = parts.longest(p) - (m + p - 1) / p;
    if (p < 3 || m < p || beyond <= 0) return 1;
    const Params own{.element_bytes = params.element_bytes, .machine = params.machine};
    return block_count(beyond, own, {static_cast<double>(ceil_log2(p)), 1}, false);
  }
  /// Elements of scratch for one message.
  static std::int64_t room_of(int p, std::int64_t m, const Parts& parts, std::int64_t n) {
    if (n == 1) return dissemination::scratch(m, ceil_log2(p));
    std::int64_t longest = 0;
    for (int r = 0; r < p; ++r) longest += Blocks{parts.count(r), n}.count(0);
    return longest;
  }

  /// One message, made of blocks of the result. It is put together in `room`, unless it is a single block.
  struct Message {
    std::vector<Block> blocks = {};
    std::int64_t count = 0;

    void clear() { blocks.clear(), count = 0; }
    void add(Block block) {
      if (block.count > 0) blocks.push_back(block), count += block.count;
    }
    Block place(Block room) const { return blocks.size() == 1 ? blocks[0] : room.part(0, count); }
    /// Calls use(block, its place in `room`) for each block, if there are several.
    template <class Use>
    void for_each(Block room, Use use) const {
      for (std::int64_t first = 0; const Block& block : blocks) {
        if (blocks.size() > 1) use(block, room.part(first, block.count));
        first += block.count;
      }
    }
  };

  template <Transport T>
  static void run_in_blocks(T& net, Block W, Block room, const Parts& parts, std::int64_t n) {
    using namespace circulant_graph;
    const int p = net.size(), r = net.rank();
    const Graph graph(p);
    std::vector<int> roots;
    std::vector<Schedule> schedules;
    for (int root = 0; root < p; ++root)
      if (parts.count(root) > 0) roots.push_back(root), schedules.emplace_back(r, p, root, n);
    const auto block = [&](std::size_t i, std::int64_t number) {
      const std::int64_t length = parts.count(roots[i]);
      return Blocks{length, n}.of(W.part(parts.first(roots[i]), length), number);
    };
    const Block departing = room.part(0, room.count / 2), arriving = room.part(room.count / 2, room.count / 2);
    Message out, in;
    for (std::int64_t round = schedules[0].first(); round <= schedules[0].last(); ++round) {
      out.clear(), in.clear();
      for (std::size_t i = 0; i < roots.size(); ++i) {
        if (const auto sent = schedules[i].sends(round); sent.peer != none) out.add(block(i, sent.block));
        if (const auto comes = schedules[i].receives(round); comes.peer != none) in.add(block(i, comes.block));
      }
      const int k = static_cast<int>(round % graph.q);
      out.for_each(departing, [&](Block from, Block to) { net.copy(from, to); });
      net.sendrecv(out.place(departing), graph.to(r, k), in.place(arriving), graph.from(r, k));
      in.for_each(arriving, [&](Block to, Block from) { net.copy(from, to); });
    }
  }
};

}  // namespace mpigraft::allgather
