// SPDX-License-Identifier: MIT
// The sums of a rank of a scan along two trees, and where it keeps them; the caller decides when.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/patterns/two_tree_scan.hpp"
#include "algorithms/ports.hpp"

namespace mpigraft::prefix {

/// Going up, S = (sum L of the left subtree) (+) own input goes on, joined from the right by the right subtree's sum R.
/// Going down, the prefix P goes on to the left child, and P (+) S to the right one. Inclusively, S and then P (+) S is
/// in W; exclusively, L and then P (+) L.
///
/// Nobody applies the operator twice between two steps of a full pipeline, where all would wait. Where L comes before
/// R, this needs, exclusively, room for S, which goes to the right child, too, as P (+) S. Where R comes first, it is
/// joined to the input until L comes. Exclusively, P (+) L is joined to the input after P has left. Inclusively, L has
/// room of its own, and is joined to the input between the two walks; a rank near the root would be late then.
template <bool exclusive, AsyncTransport T>
class TwoTreeSums {
 public:
  using Pass = two_trees::Pass;

  TwoTreeSums(T& net, Block V, Block W, const two_trees::ScanPlan& plan, const two_trees::Halves& halves,
              Outbox<T>& out)
      : net_(net), V_(V), W_(W), plan_(plan), out_(out), pool_(net, out, pool_blocks(halves), halves.longest()) {
    if (const int half = plan_.half_of_sums(exclusive); half != none) {
      first_sum_ = half == 0 ? 0 : halves.elements(0);
      sums_ = net.scratch(halves.elements(half));
    }
  }

  void begin() {
    if (!exclusive) net_.copy(V_, W_);
  }
  void between_walks() {
    if (!exclusive && sums_.count > 0) net_.combine(sums_, W_.part(first_sum_, sums_.count));
  }

  // The blocks to receive L, R and P in.
  Block room_for_left(const Pass& in) {
    if (exclusive) return in.of(W_);
    return at(plan_.right_up_first, in) ? sum_at(in) : pool_.take(in.count);
  }
  Block room_for_right(const Pass& in) { return pool_.take(in.count); }
  Block room_for_prefix(const Pass& in) { return exclusive && !at(plan_.left, in) ? in.of(W_) : pool_.take(in.count); }

  // The steps when these have come.
  void join_left(const Pass& in, Block L) {
    if (at(plan_.right_up_first, in)) {
      net_.combine(L, kept_);
    } else if (!exclusive) {
      net_.combine(L, in.of(W_));
      pool_.give(L);
    } else if (plan_.keeps_sums(in.half, exclusive)) {
      net_.combine(L, in.of(V_), sum_at(in));
    }
  }
  void join_right(const Pass& in, Block R) {
    kept_ = R;
    const bool has_sum = !at(plan_.right_up_first, in) && at(plan_.left, in);
    net_.combine(!has_sum ? in.of(V_) : exclusive ? sum_at(in) : in.of(W_), R);
  }
  void join_prefix(const Pass& in, Block P) {
    if (!exclusive) {
      out_.finish(in.of(W_));
      net_.combine(P, in.of(W_));
    }
    if (at(plan_.left, in))
      kept_ = P;
    else
      pool_.give(P);
  }

  // The sums that go to the parent, the left and the right child.
  Block total(const Pass& out) { return pool_.lend(at(plan_.right, out) ? kept_ : sum(out, at(plan_.left, out))); }
  Block prefix(const Pass& out) {
    if (exclusive) net_.combine(kept_, out.of(W_));
    return pool_.lend(kept_);
  }
  Block through(const Pass& out) {
    if (!exclusive || !plan_.keeps_sums(out.half, exclusive))
      return pool_.lend(sum(out, at(plan_.left, out) || at(plan_.has_prefix, out)));
    if (at(plan_.has_prefix, out)) net_.combine(kept_, sum_at(out));
    return pool_.lend(sum_at(out));
  }

 private:
  static bool at(const std::array<bool, 2>& flags, const Pass& pass) {
    return flags[static_cast<std::size_t>(pass.half)];
  }
  /// Fewer suffice where `sums_` has room for a whole half: no other sum has to be made.
  int pool_blocks(const two_trees::Halves& halves) const {
    const int all = two_trees::scratch_blocks(halves);
    return plan_.half_of_sums(exclusive) != none ? std::min(3, all - 1) : all;
  }
  Block sum_at(const Pass& pass) const { return sums_.part(pass.first - first_sum_, pass.count); }
  /// W with the own input; `holds`: W has something.
  Block sum(const Pass& pass, bool holds) {
    if (!exclusive) return pass.of(W_);
    if (!holds) return pass.of(V_);
    const Block joined = pool_.take(pass.count);
    net_.combine(pass.of(W_), pass.of(V_), joined);
    return joined;
  }

  T& net_;
  const Block V_, W_;
  const two_trees::ScanPlan& plan_;
  Outbox<T>& out_;
  Pool<T> pool_;
  Block kept_;
  Block sums_;                  // of a half: exclusively S, inclusively L
  std::int64_t first_sum_ = 0;  // where that half begins
};

}  // namespace mpigraft::prefix
