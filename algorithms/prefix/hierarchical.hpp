// SPDX-License-Identifier: MIT
// The two levels of a scan: within each node, between the last ranks of all nodes, and within each node again.
#pragma once

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/exscan/adaptive.hpp"
#include "algorithms/part.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/prefix/between_nodes.hpp"
#include "algorithms/prefix/between_nodes_figures.hpp"
#include "algorithms/prefix/hierarchical_figures.hpp"
#include "algorithms/scan/simultaneous_binomial.hpp"

namespace mpigraft::prefix {

/// L is the result within the node (inclusive or exclusive), T the node's total, which its last rank has. The last
/// ranks make P, the product of all nodes before. It goes to all ranks of the node, and the result is P (+) L.
template <bool exclusive, AsyncTransport T>
class OverNodes {
 public:
  OverNodes(T& net, Block V, Block W, const Params& params)
      : net_(net),
        V_(V),
        W_(W),
        params_(params),
        nodes_(net.size(), params),
        i_(nodes_.of(net.rank())),
        j_(net.rank() - nodes_.first(i_)),
        pool_(net.scratch(V.count, 2)),
        // the first rank has no L in an exclusive scan: P is its result
        P_(exclusive && j_ == 0 ? W : pool_.part(0, V.count)),
        spare_(pool_.part(V.count, V.count)) {}

  void run() {
    within_node();
    if (nodes_.count() == 1) return;
    const std::int64_t b = blocks_between(nodes_.count(), V_.count, params_);
    if (is_last()) between_nodes(b);
    if (i_ == 0) return;
    auto node = own_node();
    bcast::binomial::run(node, {P_, P_}, {.root = nodes_.size(i_) - 1});
    const bool in_chain = !exclusive && b > 0 && is_last();  // its W is P (+) T already
    if (!in_chain && P_ != W_) net_.combine(P_, W_);
  }

 private:
  bool is_last() const { return net_.rank() == nodes_.last(i_); }

  auto own_node() {
    const auto rank_of = [first = nodes_.first(i_)](int j) { return first + j; };
    return Part(net_, nodes_.size(i_), j_, pool_, rank_of);
  }
  auto last_ranks() {
    return Part(net_, nodes_.count(), i_, spare_, [this](int i) { return nodes_.last(i); });
  }

  void within_node() {
    auto node = own_node();
    if constexpr (exclusive)
      exscan::adaptive::run(node, {V_, W_}, params_);
    else
      scan::simultaneous_binomial::run(node, {V_, W_}, params_);
  }
  /// T. In an exclusive scan it is L (+) x, made in the spare block; nobody needs the last node's.
  Block total() {
    if (!exclusive) return W_;
    if (j_ == 0 || i_ + 1 == nodes_.count()) return V_;
    net_.combine(W_, V_, spare_);
    return spare_;
  }

  /// T may be in the spare block, the doubling's scratch, because it is sent before that is written.
  void between_nodes(std::int64_t b) {
    auto last = last_ranks();
    exscan_between<exclusive>(last, total(), P_, exclusive ? spare_ : W_, {V_.count, b});
  }

  T& net_;
  const Block V_, W_;
  const Params& params_;
  const Nodes nodes_;
  const int i_, j_;  // this rank is rank j of node i
  const Block pool_, P_, spare_;
};

template <bool exclusive>
struct Hierarchical {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    OverNodes<exclusive, T>(net, V, W, params).run();
  }
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    return over_nodes_theorem(exclusive, p, m, params);
  }
  static constexpr std::int64_t scratch(int, std::int64_t m, const Params&) { return 2 * m; }
};

}  // namespace mpigraft::prefix
