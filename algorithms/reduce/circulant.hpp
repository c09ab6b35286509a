// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "algorithms/info.hpp"
#include "algorithms/patterns/circulant.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::reduce {

/// The broadcast walked backwards: what a rank received it now sends, and what it sent it receives and adds. Invariant:
/// a rank sends a block once, after the last time that it receives it.
///
/// Example: p = 7, m = 4, blocks of 1, root 0. [2]>4 is element 2, sent to rank 4.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6
///       1          [2]>4   [2]>5   [2]>6   [3]>0   [3]>1   [3]>2
///       2          [1]>6   [3]>0   [3]>1   [1]>2   [1]>3   [2]>4
///       3          [3]>0   [0]>1   [1]>2   [0]>3   [2]>4   [0]>5
///       4                                  [2]>0   [0]>1   [1]>2
///       5                  [1]>0   [0]>1
///       6          [0]>0
struct circulant {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const Blocks blocks = circulant_graph::cut(net.size(), V.count, params, true);
    const circulant_graph::Schedule schedule(net.rank(), net.size(), params.root, blocks.b);
    const Block acc = net.rank() == params.root ? W : net.scratch(V.count), spare = net.scratch(blocks.count(0));
    Rank<T> rank{net, schedule, blocks, acc, {spare, is_ahead(blocks) ? net.scratch(blocks.count(0)) : spare}};
    net.copy(V, acc);
    Outbox out(net);
    run_steps(net, out, schedule.last() + 1 - schedule.first(), rank, is_ahead(blocks));
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Blocks blocks = circulant_graph::cut(p, m, params, true);
    const std::int64_t received = circulant_graph::most_sent(p, blocks);
    const int last = (2 * p - 1 - params.root) % p;
    return {.rounds = static_cast<int>(blocks.b - 1 + ceil_log2(p)),
            .applications = received,
            .applications_last = circulant_graph::sent(last, p, blocks),
            .sent = m,
            .received = received};
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks blocks = circulant_graph::cut(p, m, params, true);
    return m + (is_ahead(blocks) ? 2 : 1) * blocks.count(0);
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,
      .paper = "Traeff 2022, arXiv:2205.10072; 2024, arXiv:2407.18004",
      .summary = "n blocks on a circulant graph in the fewest rounds, any p, any root",
      .rounds = "n-1+q",
      .commutative = true,
      .pipelined = true,
      .cuts = Cuts::blocks,
      .varies_with_blocks = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  /// True if there is room to receive a block before the one before it is added: all blocks and two more fit into twice
  /// the vector.
  static constexpr bool is_ahead(const Blocks& blocks) { return 2 * blocks.count(0) <= blocks.m; }

  template <AsyncTransport T>
  struct Rank {
    T& net;
    const circulant_graph::Schedule& schedule;
    const Blocks blocks;
    const Block acc;
    const std::array<Block, 2> spare;
    std::size_t turn = 0;

    circulant_graph::Part in(std::int64_t step) const { return schedule.sends(schedule.last() - step); }
    circulant_graph::Part out(std::int64_t step) const { return schedule.receives(schedule.last() - step); }
    Block room(const circulant_graph::Part& in) { return spare[turn++ % 2].part(0, blocks.count(in.block)); }
    Block departing(const circulant_graph::Part& out) const { return blocks.of(acc, out.block); }
    void arrived(const circulant_graph::Part& in, Block block) { net.combine(block, blocks.of(acc, in.block)); }
  };
};

}  // namespace mpigraft::reduce
