// SPDX-License-Identifier: MIT
// The linear pipeline: block i of a prefix passes from rank r to rank r+1 in round r+i+1.
#pragma once

#include <array>

#include "algorithms/info.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::prefix {

/// Rank r receives T_i = x_0 (+) ... (+) x_(r-1) of block i and sends T_i (+) x_i. An inclusive scan keeps what it
/// sends, an exclusive one what it receives.
template <bool exclusive>
struct AlongChain {
  static std::int64_t blocks(int p, std::int64_t m, const Params& params) {
    return block_count(m, params, {p - 1.0, 1}, true);
  }

  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    run_in_blocks(net, V, W, {V.count, blocks(net.size(), V.count, params)});
  }
  template <AsyncTransport T>
  static void run_in_blocks(T& net, Block V, Block W, const Blocks& cut) {
    const int p = net.size(), r = net.rank();
    Outbox out(net);
    if (r == 0) {
      for (std::int64_t i = 0; p > 1 && i < cut.b; ++i) out.send(cut.of(V, i), 1);
      out.finish();
      if (!exclusive) net.copy(V, W);
      return;
    }
    Inbox in(net);
    const std::array<Block, 2> spare = spares(net, cut);
    const auto into = [&](std::int64_t i) { return exclusive ? cut.of(W, i) : part(spare, cut, i); };
    in.expect(into(0), r - 1);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block T_i = in.take(), sum = exclusive ? part(spare, cut, i) : cut.of(W, i);
      if (i + 1 < cut.b) in.expect(into(i + 1), r - 1);
      if (!exclusive || r + 1 < p) net.combine(T_i, cut.of(V, i), sum);
      if (r + 1 < p) out.send(sum, r + 1);
    }
    out.finish();
  }

  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    return theorem_of_blocks(p, m, blocks(p, m, params));
  }
  static constexpr Theorem theorem_of_blocks(int p, std::int64_t m, std::int64_t b) {
    const std::int64_t moved = p > 1 ? m : 0;
    return {.rounds = p > 1 ? static_cast<int>(p - 1 + b - 1) : 0,
            .applications = p > (exclusive ? 2 : 1) ? m : 0,
            .applications_last = exclusive ? 0 : moved,
            .sent = moved,
            .received = moved};
  }
  static std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const Blocks cut{m, blocks(p, m, params)};
    return std::min<std::int64_t>(cut.b, 2) * cut.count(0);
  }

 private:
  /// Two, since block i is still in use when block i+1 is under way.
  template <Transport T>
  static std::array<Block, 2> spares(T& net, Blocks cut) {
    const Block first = net.scratch(cut.count(0));
    return {first, cut.b > 1 ? net.scratch(cut.count(0)) : first};
  }
  static Block part(const std::array<Block, 2>& spare, Blocks cut, std::int64_t i) {
    return spare[static_cast<std::size_t>(i % 2)].part(0, cut.count(i));
  }
};

}  // namespace mpigraft::prefix
