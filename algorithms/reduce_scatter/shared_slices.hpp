// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/patterns/pages.hpp"
#include "algorithms/phases/piecewise.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::reduce_scatter {

/// A vector that fits into a page is published whole, and every rank sums its part of all. For a longer one, every rank
/// publishes each other rank's part, block by block.
struct shared_slices {
  template <SharedTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    if (p == 1) return net.copy(V, W);
    const RootedPieces pieces(operands.parts, p);
    const bool whole = fits_into_page(V.count, params);
    const Blocks cut = whole ? Blocks{pieces.count(r), 1} : in_pages(operands.parts.longest(p), params);
    const std::int64_t length = std::min(cut.count(0), W.count);
    const Block in = net.scratch(length), lower = net.scratch(length);
    if (whole) net.publish(V, 0);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const auto block = [&](Block piece) {
        const std::int64_t first = std::min(i * cut.count(0), piece.count);
        return piece.part(first, std::min(cut.count(0), piece.count - first));
      };
      const Block own = block(pieces.of(V, r)), sum = block(W), room = in.part(0, own.count);
      const auto exchange = [&](int owner, int from, const Block* old, Block result) {
        const std::int64_t step = i * (p - 1) + (owner - r + p) % p - 1;
        if (!whole) net.publish(block(pieces.of(V, owner)), step);
        const Page page = whole ? Page{from, 0, own.first - V.first} : Page{from, step};
        if (old)
          net.read_and_combine(page, room, *old, result);
        else
          net.read(page, result);
      };
      piecewise::sum_by_exchange(net, {own, lower.part(0, own.count), sum, sum}, exchange);
    }
  }

  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    if (p == 1) return {};
    const Parts parts = parts_of(p, m, params);
    const std::int64_t longest = (p - 1) * parts.longest(p);
    const bool whole = fits_into_page(m, params);
    return {.rounds = whole ? 1 : static_cast<int>((p - 1) * in_pages(parts.longest(p), params).b),
            .applications = longest,
            .applications_last = (p - 1) * parts.count(p - 1),
            .sent = whole ? m : m - parts.shortest(p),
            .received = longest};
  }
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    return p > 1 ? 2 * std::min(parts_of(p, m, params).longest(p), page_elements(params)) : 0;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce_scatter,
      .paper = "Rabenseifner 2004; Graham, Shipman 2008",
      .summary =
          "parts published in the node's memory, or short vectors, for each rank to sum its own, rank order kept",
      .rounds = "1, or b(p-1)",
      .pipelined = true,
      .cuts = Cuts::always,
      .varies_with_length = true,
      .varies_with_nodes = true,
      .placement = Placement::one,
      .flat = "pairwise",
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static constexpr bool fits_into_page(std::int64_t m, const Params& params) { return in_pages(m, params).b == 1; }
};

}  // namespace mpigraft::reduce_scatter
