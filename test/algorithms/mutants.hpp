// SPDX-License-Identifier: MIT
// Algorithms that are wrong on purpose, each in one thing. A mistake that the checker lets pass here, it would let pass
// anywhere.
#pragma once

#include "algorithms/barrier/dissemination.hpp"
#include "algorithms/bcast/binomial.hpp"
#include "algorithms/exscan/doubling_1.hpp"
#include "algorithms/exscan/k_ported.hpp"
#include "algorithms/exscan/round_optimal.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/reduce/binomial.hpp"
#include "algorithms/scan/hillis_steele.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/doubling_mutants.hpp"

namespace mpigraft::mutants {

struct copy_forgotten : LikeScan {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const Block in = net.scratch(V.count);
    const int p = net.size(), r = net.rank();
    for (int s = 1; s < p; s *= 2) {
      net.sendrecv(W, r + s < p ? r + s : none, in, r >= s ? r - s : none);
      if (r >= s) net.combine(in, W);
    }
  }
};

/// V is gone where it is the memory of W.
struct reads_input_late {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
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
  static constexpr AlgorithmInfo info{
      .collective = Collective::scan,
      .paper = "",
      .summary = "a chain",
      .rounds = "p-1",
  };
};

struct writes_result_of_rank_0 : Like<exscan::round_optimal> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    if (net.rank() == 0) net.copy(V, W);
    schedule::carry_out(exscan::round_optimal::info, net, operands, params);
  }
};

struct sends_result_of_rank_0 : Like<exscan::doubling_1> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    net.sendrecv(W, r + 1 < p ? r + 1 : none, W, r > 0 ? r - 1 : none);
    net.combine(V, W);
  }
};

struct writes_result_off_root : Like<reduce::binomial> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    net.copy(V, W);
    schedule::carry_out(reduce::binomial::info, net, operands, params);
  }
};

struct three_messages_on_two_ports : Like<exscan::k_ported> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    schedule::carry_out(exscan::k_ported::info, net, operands, {.ports = 3});
  }
};

struct barrier_forgotten : LikeScan {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    schedule::carry_out(scan::hillis_steele::info, net, operands, {});
  }
};

struct writes_input : LikeScan {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    schedule::carry_out(scan::hillis_steele::info, net, {V, V}, {});
    net.copy(V, W);
  }
};

/// Rank p-1 tells nobody that it has come.
struct forgets_the_last : Like<barrier::dissemination> {
  template <Transport T>
  static void run(T& net, const Operands& nothing, const Params&) {
    const int p = net.size(), r = net.rank();
    for (int k = 0, s = 1; k < ceil_log2(p); ++k, s *= 2)
      net.sendrecv(nothing.input, r + s < p ? r + s : none, nothing.result, r >= s ? r - s : none);
  }
};

/// The last round has the skip of the one before.
struct repeats_a_round : Like<barrier::dissemination> {
  template <Transport T>
  static void run(T& net, const Operands& nothing, const Params&) {
    const int p = net.size(), r = net.rank();
    for (int s = 1; s < p; s *= 2) {
      const int skip = 2 * s < p ? s : s / 2;
      net.sendrecv(nothing.input, (r + skip) % p, nothing.result, (r - skip + p) % p);
    }
  }
};

struct reduces_to_rank_0 : Like<reduce::binomial> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    schedule::carry_out(reduce::binomial::info, net, operands, {.root = 0});
  }
};

struct broadcasts_from_rank_0 : Like<bcast::binomial> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    schedule::carry_out(bcast::binomial::info, net, operands, {.root = 0});
  }
};

struct two_receives_at_once : Like<reduce::binomial> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    if (net.rank() > 0) return net.send(V, 0);
    const Block a = net.scratch(V.count), b = net.scratch(V.count);
    const auto first = net.irecv(a, 1);
    const auto second = net.irecv(b, 2);
    net.wait(first);
    net.wait(second);
    net.combine(a, b);
    net.combine(V, b);
    net.copy(b, W);
  }
};

struct two_sends_at_once : Like<bcast::binomial> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    if (net.rank() > 0) return net.recv(message, 0);
    const auto first = net.isend(message, 1);
    const auto second = net.isend(message, 2);
    net.wait(first);
    net.wait(second);
  }
};

/// Right, except that no message comes while a rank combines.
struct asks_late : Like<prefix::linear_pipeline<false>> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    const Blocks cut{V.count, prefix::blocks_of_chain(p, V.count, params)};
    const Block in = net.scratch(cut.count(0));
    typename T::Request sent{};
    if (r == 0) net.copy(V, W);
    for (std::int64_t i = 0; i < cut.b; ++i) {
      const Block T_i = in.part(0, cut.count(i)), sum = cut.of(W, i);
      if (r > 0) net.recv(T_i, r - 1);
      if (r > 0) net.combine(T_i, cut.of(V, i), sum);
      if (r + 1 < p && i > 0) net.wait(sent);
      if (r + 1 < p) sent = net.isend(sum, r + 1);
    }
    if (r + 1 < p) net.wait(sent);
  }
};

/// Cuts where it does not say so.
template <class Real, Cuts stated>
struct cuts_more : Real {
  static constexpr AlgorithmInfo info = [] {
    AlgorithmInfo wrong = Real::info;
    wrong.cuts = stated;
    return wrong;
  }();
};

struct scratch_too_large : reads_input_late {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    for (int i = 0; i < 3; ++i) net.scratch(operands.input.count);
    reads_input_late::run(net, operands, params);
  }
};

/// A rank that has been told of a failure keeps it to itself.
constexpr bool keep_to_oneself(bool failed, bool /*told*/) { return failed; }

}  // namespace mpigraft::mutants
