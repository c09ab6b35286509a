// SPDX-License-Identifier: MIT
// Allgather in which rank r sends to r - s and receives from r + s, modulo p, for growing skips s. A rank has
// consecutive parts from its own on. Where these wrap around to part 0 they are not one block, and so go through
// scratch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::dissemination {

/// Parts first, ..., last - 1 of p, modulo p, as one message: those up to part p-1 come before the others.
struct Range {
  Parts parts;
  int p, first, last;

  constexpr Block head(Block whole) const { return between(whole, std::min(first, p), std::min(last, p)); }
  constexpr Block tail(Block whole) const { return between(whole, std::max(first - p, 0), std::max(last - p, 0)); }
  constexpr std::int64_t count() const { return head({}).count + tail({}).count; }

 private:
  constexpr Block between(Block whole, int from, int to) const {
    return whole.part(parts.first(from), parts.first(to) - parts.first(from));
  }
};

/// The message's block in the vector if it is a single one, otherwise room for it.
constexpr Block place(const Range& range, Block whole, Block room) {
  const Block head = range.head(whole), tail = range.tail(whole);
  return tail.count == 0 ? head : head.count == 0 ? tail : room.part(0, head.count + tail.count);
}

/// Elements of `room` that `allgather` needs: none for two ranks, whose messages are single parts.
constexpr std::int64_t scratch(std::int64_t m, int q) { return q > 1 ? m : 0; }

/// Skips 1 = s_0 < s_1 < ... < s_q = p, each at most twice the one before it. Invariant: before round k the rank has
/// its own part and the s_k - 1 next ones.
template <Transport T, class Skips>
void allgather(T& net, Block result, Block room, const Parts& parts, const Skips& skips) {
  const int p = net.size(), r = net.rank();
  for (int k = 0; k < skips.q; ++k) {
    const int s = skips.skip(k), more = skips.skip(k + 1) - s;
    const Range own{parts, p, r, r + more}, next{parts, p, r + s, r + s + more};
    const Block out = place(own, result, room);
    const Block in = place(next, result, room.part(own.count(), room.count - own.count()));
    if (out.origin == room.origin) {
      const Block head = own.head(result);
      net.copy(head, out.part(0, head.count));
      net.copy(own.tail(result), out.part(head.count, out.count - head.count));
    }
    net.sendrecv(out, r >= s ? r - s : r - s + p, in, r < p - s ? r + s : r + s - p);
    if (in.origin == room.origin) {
      const Block head = next.head(result);
      net.copy(in.part(0, head.count), head);
      net.copy(in.part(head.count, in.count - head.count), next.tail(result));
    }
  }
}

/// Elements that rank r sends in `allgather`.
template <class Skips>
constexpr std::int64_t sent(int r, int p, const Parts& parts, const Skips& skips) {
  std::int64_t elements = 0;
  for (int k = 0; k < skips.q; ++k) elements += Range{parts, p, r, r + skips.skip(k + 1) - skips.skip(k)}.count();
  return elements;
}

/// Figures of an algorithm that consists of `allgather` alone.
template <class Skips>
constexpr Theorem theorem_of(int p, std::int64_t m, const Parts& parts, const Skips& skips) {
  Theorem stated{.rounds = skips.q, .received = m - parts.shortest(p)};
  for (int r = 0; r < p; ++r) stated.sent = std::max(stated.sent, sent(r, p, parts, skips));
  return stated;
}
}  // namespace mpigraft::dissemination
