// SPDX-License-Identifier: MIT
// A vector of one piece for each of p ranks: scatter and gather along the binomial tree, reduce-scatter by direct
// exchange, and allgather round the ring.
#pragma once

#include <algorithm>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/program.hpp"

namespace mpigraft {

/// The parts of a vector by nodes: one part for each node, and in it those of the node's ranks.
class NodeParts : public Nodes {
 public:
  NodeParts(int p, const Parts& parts, const Params& params) : Nodes(p, params), parts_(parts) {
    for (int i = 0; i <= count(); ++i) firsts_.push_back(parts.first(i < count() ? first(i) : p));
  }
  NodeParts(const NodeParts&) = delete;
  NodeParts& operator=(const NodeParts&) = delete;

  /// One part for each node.
  Parts of_nodes() const { return {.firsts = firsts_}; }

  /// The parts of node i's ranks.
  Parts in_node(int i) const { return parts_.from(first(i)); }

 private:
  const Parts parts_;
  List<std::int64_t> firsts_;
};

}  // namespace mpigraft

namespace mpigraft::piecewise {

/// Number of ranks below r in the binomial tree of p ranks, r included. What goes through rank r are the pieces
/// [r, r + held_by(r, p)).
constexpr int held_by(int r, int p) { return r == 0 ? p : std::min(r & -r, p - r); }
constexpr std::int64_t elements_held(const Parts& pieces, int r, int p) {
  return pieces.first(r + held_by(r, p)) - pieces.first(r);
}

/// Scatter from rank 0 down the binomial tree: `held`, which it has, becomes the pieces [r, r + held_by(r, p)).
inline Value scatter(const Group& net, Value held, const Parts& pieces) {
  const int p = net.size(), r = net.rank();
  for (int k = ceil_log2(p) - 1; k >= 0; --k) {
    const int other = binomial_tree::partner(r, k, p, 0);
    if (other == none) continue;
    if (r > other)
      held = net.recv(other, elements_held(pieces, r, p));
    else
      net.send(part(held, pieces.first(other) - pieces.first(r), elements_held(pieces, other, p)), other);
  }
  return held;
}

/// The sum of the own piece of all ranks, in rank order. exchange(owner, from) gives every `owner` its piece, and gets
/// the own one of rank `from`: j-1, ..., 0, then p-1, ..., j+1 at rank j.
template <class Exchange>
Value sum_of_own(const Group& net, Value own, Exchange exchange) {
  const int p = net.size(), j = net.rank();
  Value lower = own, upper = nothing;  // sums of ranks 0..j and j+1..p-1, as far as these have come
  for (int k = 1; k < p; ++k) {
    const int owner = (j + k) % p, from = (j - k + p) % p;
    const Value in = exchange(owner, from);
    (from > j ? upper : lower) = net.combine(in, from > j ? upper : lower);
  }
  return net.combine(lower, upper);
}

/// The same by messages; piece(owner) is what `owner` sums.
template <class Piece>
Value reduce_scatter(const Group& net, std::int64_t count, Piece piece) {
  return sum_of_own(net, piece(net.rank()), [&](int owner, int from) {
    net.send(piece(owner), owner);
    return net.recv(from, count);
  });
}

/// Gather up the binomial tree: the pieces [r, r + held_by(r, p)) at rank r, of which `own` is the first; all at 0.
inline Value gather(const Group& net, Value own, const Parts& pieces) {
  const int p = net.size(), r = net.rank();
  for (int k = 0; k < ceil_log2(p); ++k) {
    const int other = binomial_tree::partner(r, k, p, 0);
    if (other == none) continue;
    if (other < r) {
      net.send(own, other);
      return nothing;
    }
    own = net.join({{own, net.recv(other, elements_held(pieces, other, p))}});
  }
  return own;
}

/// Allgather round the ring: `held` are the pieces [r, r + has(r)), and all become the result. The ring would bring
/// these last, so they are not sent again.
template <class Has>
void allgather(Program& program, const Group& net, Value held, const Parts& pieces, Has has) {
  const int p = net.size(), r = net.rank(), before = r > 0 ? r - 1 : p - 1, after = r + 1 < p ? r + 1 : 0;
  List<Value> have(static_cast<std::size_t>(p));
  const auto at = [&](int i) -> Value& { return have[static_cast<std::size_t>(i)]; };
  for (int i = r; i < r + has(r); ++i) at(i) = part(held, pieces.first(i) - pieces.first(r), pieces.count(i));
  program.result(held, pieces.first(r));
  for (int j = 1; j < p; ++j) {
    const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
    if (j <= p - has(after)) net.send(at(out), after);
    if (j <= p - has(r)) program.result(at(in) = net.recv(before, pieces.count(in)), pieces.first(in));
  }
}

}  // namespace mpigraft::piecewise
