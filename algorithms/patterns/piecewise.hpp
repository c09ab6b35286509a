// SPDX-License-Identifier: MIT
// A vector of one piece for each of p ranks: scatter and gather along the binomial tree, reduce-scatter by direct
// exchange, and allgather round the ring.
#pragma once

#include <algorithm>

#include "algorithms/patterns/binomial_tree.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/program.hpp"

namespace mpigraft {

/// Ranks here are relative to the root, so that what goes through rank r in the binomial tree, pieces [r, r + held(r)),
/// is consecutive.
class RootedPieces {
 public:
  constexpr RootedPieces(std::int64_t m, int p, int root) : parts_(even_parts(m, p)), p_(p), root_(root) {}
  /// The pieces of p ranks, of which the first is the root: the parts from `skipped` on.
  constexpr RootedPieces(const Parts& parts, int p, int skipped = 0) : parts_(parts), p_(p), skipped_(skipped) {}

  constexpr int size() const { return p_; }
  constexpr int relative(int rank) const { return rank >= root_ ? rank - root_ : rank - root_ + p_; }
  constexpr int rank(int r) const { return static_cast<int>((std::int64_t{r} + root_) % p_); }

  constexpr std::int64_t first(int r) const { return parts_.first(skipped_ + r); }
  constexpr std::int64_t count(int r) const { return parts_.count(skipped_ + r); }

  /// Number of ranks below r in the binomial tree, r included.
  constexpr int held(int r) const { return r == 0 ? p_ : std::min(r & -r, p_ - r); }
  constexpr std::int64_t elements_held(int r) const { return first(r + held(r)) - first(r); }

  /// The partner of r at level k: its parent where that is a lower rank, else a child, or `none`.
  constexpr int neighbour(int r, int k) const {
    return binomial_tree::head(r, k, 0) == r ? binomial_tree::sibling(r, k, p_, 0) : none;
  }

 private:
  Parts parts_;
  int p_, root_ = 0, skipped_ = 0;
};

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

  /// The parts of node i's ranks, in the whole vector.
  RootedPieces in_node(int i) const { return {parts_, size(i), first(i)}; }

 private:
  const Parts parts_;
  List<std::int64_t> firsts_;
};

}  // namespace mpigraft

namespace mpigraft::piecewise {

/// Scatter from the root down the binomial tree: `held`, which the root has, becomes the pieces [r, r + held(r)).
inline Value scatter(const Group& net, Value held, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = ceil_log2(pieces.size()) - 1; k >= 0; --k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    const std::int64_t first = pieces.first(other) - pieces.first(r);
    if (r > other)
      held = net.recv(pieces.rank(other), pieces.elements_held(r));
    else
      net.send(part(held, first, pieces.elements_held(other)), pieces.rank(other));
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

/// Gather up the binomial tree: the pieces [r, r + held(r)) at rank r, of which `own` is the first; all at the root.
inline Value gather(const Group& net, Value own, const RootedPieces& pieces) {
  const int r = pieces.relative(net.rank());
  for (int k = 0; k < ceil_log2(pieces.size()); ++k) {
    const int other = pieces.neighbour(r, k);
    if (other == none) continue;
    if (other < r) {
      net.send(own, pieces.rank(other));
      return nothing;
    }
    own = net.join({{own, net.recv(pieces.rank(other), pieces.elements_held(other))}});
  }
  return own;
}

/// Allgather round the ring: `held` are the pieces [r, r + has(r)), and all become the result. The ring would bring
/// these last, so they are not sent again.
template <class Has>
void allgather(Program& program, const Group& net, Value held, const RootedPieces& pieces, Has has) {
  const int p = pieces.size(), r = pieces.relative(net.rank()), after = r + 1 < p ? r + 1 : 0;
  List<Value> have(static_cast<std::size_t>(p));
  const auto at = [&](int i) -> Value& { return have[static_cast<std::size_t>(i)]; };
  for (int i = r; i < r + has(r); ++i) at(i) = part(held, pieces.first(i) - pieces.first(r), pieces.count(i));
  program.result(held, pieces.first(r));
  for (int j = 1; j < p; ++j) {
    const int out = (r - j + 1 + p) % p, in = (r - j + p) % p;
    if (j <= p - has(after)) net.send(at(out), pieces.rank(after));
    if (j <= p - has(r)) program.result(at(in) = net.recv(pieces.rank(r + p - 1), pieces.count(in)), pieces.first(in));
  }
}

}  // namespace mpigraft::piecewise
