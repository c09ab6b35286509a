// SPDX-License-Identifier: MIT
// Algorithms that are wrong on purpose, each in one thing: what a rank does in place of their texts. A mistake that the
// checker lets pass here, it would let pass anywhere.
#pragma once

#include <array>
#include <functional>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/cases.hpp"

namespace mpigraft::mutants {

using Net = model::RecordingTransport;
using proof::named;

inline Block block(const Blocks& cut, Block whole, std::int64_t i) { return whole.part(cut.first(i), cut.count(i)); }

/// A rank, and the mutants that it can be.
struct Rank {
  Net& net;
  const Operands& operands;
  const Params& params;
  const int p = net.size(), r = net.rank();
  const Block V = operands.input, W = operands.result;  // of a broadcast both are the message

  /// A chain. V is gone where it is the memory of W.
  void reads_input_late() {
    const Block sum = net.scratch(V.count);
    if (r > 0) {
      net.recv(W, r - 1);
      net.combine(W, V, sum);
      net.copy(sum, W);
    } else {
      net.copy(V, W);
    }
    if (r + 1 < p) net.send(W, r + 1);
  }

  void scratch_too_large() {
    for (int i = 0; i < 3; ++i) net.scratch(V.count);
    reads_input_late();
  }

  void writes_result_of_rank_0() {
    if (r == 0) net.copy(V, W);
    schedule::carry_out(named("exscan/round_optimal"), net, operands, params);
  }

  void sends_result_of_rank_0() {
    net.sendrecv(W, r + 1 < p ? r + 1 : none, W, r > 0 ? r - 1 : none);
    net.combine(V, W);
  }

  void writes_result_off_root() {
    net.copy(V, W);
    schedule::carry_out(named("reduce/binomial"), net, operands, params);
  }

  void writes_input() {
    schedule::carry_out(named("scan/hillis_steele"), net, {V, V}, {});
    net.copy(V, W);
  }

  void writes_input_behind_result() {
    schedule::carry_out(named("reduce_scatter/pairwise"), net, operands, params);
    net.copy(V.part(0, 1), V.part(V.count - 1, 1));
  }

  /// Rank p-1 tells nobody that it has come.
  void forgets_the_last() {
    for (int k = 0, s = 1; k < ceil_log2(p); ++k, s *= 2)
      net.sendrecv(V, r + s < p ? r + s : none, W, r >= s ? r - s : none);
  }

  /// The last round has the skip of the one before.
  void repeats_a_round() {
    for (int s = 1; s < p; s *= 2) {
      const int skip = 2 * s < p ? s : s / 2;
      net.sendrecv(V, (r + skip) % p, W, (r - skip + p) % p);
    }
  }

  void two_receives_at_once() {
    if (r > 0) return net.send(V, 0);
    const Block a = net.scratch(V.count), b = net.scratch(V.count);
    const auto first = net.irecv(a, 1);
    const auto second = net.irecv(b, 2);
    net.wait(first);
    net.wait(second);
    net.combine(a, b);
    net.combine(V, b);
    net.copy(b, W);
  }

  void two_sends_at_once() {
    if (r > 0) return net.recv(W, 0);
    const auto first = net.isend(W, 1);
    const auto second = net.isend(W, 2);
    net.wait(first);
    net.wait(second);
  }

  /// Right, except that no message comes while a rank combines.
  void asks_late() {
    const Blocks cut{V.count, prefix::blocks_of_chain(p, V.count, params)};
    const Block in = net.scratch(cut.count(0));
    Net::Request sent{};
    if (r == 0) net.copy(V, W);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block T_i = in.part(0, cut.count(i)), sum = block(cut, W, i);
      if (r > 0) net.recv(T_i, r - 1);
      if (r > 0) net.combine(T_i, block(cut, V, i), sum);
      if (r + 1 < p && i > 0) net.wait(sent);
      if (r + 1 < p) sent = net.isend(sum, r + 1);
    }
    if (r + 1 < p) net.wait(sent);
  }

  // With pages.

  void publishes_all_at_once() {
    if (r == 0) return net.publish(W, 0);
    net.read({.owner = 0}, W);
  }

  void reads_own_page() {
    if (r == 0) net.publish(W, 0);
    net.read({.owner = 0}, W);
  }

  void publishes_result_of_rank_0() {
    if (r == 0) return net.publish(W, 0);
    schedule::carry_out(named("exscan/shared_flat"), net, operands, params);
  }

  void says_that_it_publishes() {
    if (r == 0) net.publish(W, 0);
    if (r == 0) return net.send(W, 1);
    net.read({.owner = 0}, W);
    if (r == 1) net.recv(W, 0);
  }

  void reads_into_input() {
    if (r == 1) return net.publish(V, 0);
    if (r == 0) net.read({.owner = 1}, V);
  }
};

using Run = std::function<void(Rank&)>;

/// An algorithm's text, with other parameters than it should have.
inline Run with_params(std::string_view name, const Params& params) {
  return [=](Rank& k) { schedule::carry_out(named(name), k.net, k.operands, params); };
}

/// Root 0 publishes both halves, all others read them, in these steps.
inline Run broadcasts_halves(std::array<int, 2> published, std::array<int, 2> read) {
  return [=](Rank& k) {
    for (const int i : {0, 1}) {
      const Block half = block({k.W.count, 2}, k.W, i);
      if (k.r == 0)
        k.net.publish(half, published[static_cast<std::size_t>(i)]);
      else
        k.net.read({.owner = 0, .step = read[static_cast<std::size_t>(i)]}, half);
    }
  };
}

inline Run reads_from(std::int64_t first) {
  return [=](Rank& k) {
    if (k.r == 0) return k.net.publish(k.W, 0);
    k.net.read({.owner = 0, .first = first}, k.W.part(0, k.W.count - 1));
    k.net.read({.owner = 0, .first = k.W.count - 1}, k.W.part(k.W.count - 1, 1));
  };
}

/// If `early`, rank r publishes its own part instead of the sum, which takes its place in memory afterwards.
inline Run chain_of_pages(bool early) {
  return [=](Rank& k) {
    const Block in = k.net.scratch(k.V.count);
    k.net.copy(k.V, k.W);
    if (early) k.net.publish(k.W, 0);
    if (k.r > 0) k.net.read_and_combine({.owner = k.r - 1}, in, k.W, k.W, false);
    if (!early) k.net.publish(k.W, 0);
  };
}

/// A rank that has been told of a failure keeps it to itself.
constexpr model::Failures keep_to_oneself(model::Failures failed, model::Failures /*told*/) { return failed; }

}  // namespace mpigraft::mutants
