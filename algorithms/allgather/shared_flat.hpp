// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::allgather {

/// All publish their parts, block by block, and read those of all others, the next rank's first.
struct shared_flat {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    const Parts& parts = operands.parts;
    const int p = net.size(), r = net.rank();
    const std::int64_t length = longest_block(p, parts, params), b = blocks(parts.longest(p), length);
    net.copy(operands.input, W.part(parts.first(r), parts.count(r)));
    for (std::int64_t i = 0; p > 1 && i < b; ++i) {
      const auto block = [&](int s) {
        const std::int64_t first = std::min(i * length, parts.count(s));
        return W.part(parts.first(s) + first, std::min(length, parts.count(s) - first));
      };
      if (const Block own = block(r); own.count > 0) net.publish(own, i);
      for (int k = 1; k < p; ++k) {
        const int owner = (r + k) % p;
        if (const Block other = block(owner); other.count > 0) net.read({.owner = owner, .step = i}, other);
      }
    }
  }

  /// A round waits for the one before only as long as two ranks publish. The last blocks of a single rank wait for
  /// nobody.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Parts parts = parts_of(p, m, params);
    const std::int64_t length = longest_block(p, parts, params);
    std::int64_t most = 0, second = 0;
    for (int r = 0; r < p; ++r) {
      const std::int64_t b = blocks(parts.count(r), length);
      second = std::max(second, std::min(b, most));
      most = std::max(most, b);
    }
    return {.rounds = static_cast<int>(second + (most > second)),
            .sent = parts.longest(p),
            .received = m - parts.shortest(p)};
  }
  static constexpr std::int64_t scratch(int, std::int64_t, const Params&) { return 0; }

  static constexpr AlgorithmInfo info{
      .collective = Collective::allgather,
      .paper = "Graham, Shipman 2008",
      .summary = "all publish their parts in the node's memory, block by block, and read all others",
      .rounds = "b",
      .pipelined = true,
      .placement = Placement::one,
      .flat = "bruck",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static constexpr std::int64_t longest_block(int p, const Parts& parts, const Params& params) {
    return std::max<std::int64_t>(in_pages(parts.longest(p), params).count(0), 1);
  }
  static constexpr std::int64_t blocks(std::int64_t count, std::int64_t length) {
    return (count + length - 1) / length;
  }
};

}  // namespace mpigraft::allgather
