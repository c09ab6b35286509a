// SPDX-License-Identifier: MIT
// Algorithms that are wrong on purpose, each in one thing: what a rank does in place of their texts. A mistake that the
// checker lets pass here, it would let pass anywhere.
#pragma once

#include <array>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/cases.hpp"

namespace mpigraft::mutants {

using Net = model::RecordingTransport;
using proof::named;

inline void copy_forgotten(Net& net, const Operands& operands, const Params&) {
  const Block V = operands.input, W = operands.result;
  const Block in = net.scratch(V.count);
  const int p = net.size(), r = net.rank();
  for (int s = 1; s < p; s *= 2) {
    net.sendrecv(W, r + s < p ? r + s : none, in, r >= s ? r - s : none);
    if (r >= s) net.combine(in, W);
  }
}

/// A chain. V is gone where it is the memory of W.
inline void reads_input_late(Net& net, const Operands& operands, const Params&) {
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

inline void scratch_too_large(Net& net, const Operands& operands, const Params& params) {
  for (int i = 0; i < 3; ++i) net.scratch(operands.input.count);
  reads_input_late(net, operands, params);
}

inline void writes_result_of_rank_0(Net& net, const Operands& operands, const Params& params) {
  if (net.rank() == 0) net.copy(operands.input, operands.result);
  schedule::carry_out(named("exscan/round_optimal"), net, operands, params);
}

inline void sends_result_of_rank_0(Net& net, const Operands& operands, const Params&) {
  const Block V = operands.input, W = operands.result;
  const int p = net.size(), r = net.rank();
  net.sendrecv(W, r + 1 < p ? r + 1 : none, W, r > 0 ? r - 1 : none);
  net.combine(V, W);
}

inline void writes_result_off_root(Net& net, const Operands& operands, const Params& params) {
  net.copy(operands.input, operands.result);
  schedule::carry_out(named("reduce/binomial"), net, operands, params);
}

inline void three_messages_on_two_ports(Net& net, const Operands& operands, const Params&) {
  schedule::carry_out(named("exscan/k_ported"), net, operands, {.ports = 3});
}

inline void barrier_forgotten(Net& net, const Operands& operands, const Params&) {
  schedule::carry_out(named("scan/hillis_steele"), net, operands, {});
}

inline void writes_input(Net& net, const Operands& operands, const Params&) {
  const Block V = operands.input, W = operands.result;
  schedule::carry_out(named("scan/hillis_steele"), net, {V, V}, {});
  net.copy(V, W);
}

/// Rank p-1 tells nobody that it has come.
inline void forgets_the_last(Net& net, const Operands& nothing, const Params&) {
  const int p = net.size(), r = net.rank();
  for (int k = 0, s = 1; k < ceil_log2(p); ++k, s *= 2)
    net.sendrecv(nothing.input, r + s < p ? r + s : none, nothing.result, r >= s ? r - s : none);
}

/// The last round has the skip of the one before.
inline void repeats_a_round(Net& net, const Operands& nothing, const Params&) {
  const int p = net.size(), r = net.rank();
  for (int s = 1; s < p; s *= 2) {
    const int skip = 2 * s < p ? s : s / 2;
    net.sendrecv(nothing.input, (r + skip) % p, nothing.result, (r - skip + p) % p);
  }
}

inline void reduces_to_rank_0(Net& net, const Operands& operands, const Params&) {
  schedule::carry_out(named("reduce/binomial"), net, operands, {.root = 0});
}

inline void broadcasts_from_rank_0(Net& net, const Operands& operands, const Params&) {
  schedule::carry_out(named("bcast/binomial"), net, operands, {.root = 0});
}

inline void two_receives_at_once(Net& net, const Operands& operands, const Params&) {
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

inline void two_sends_at_once(Net& net, const Operands& operands, const Params&) {
  const Block message = operands.result;
  if (net.rank() > 0) return net.recv(message, 0);
  const auto first = net.isend(message, 1);
  const auto second = net.isend(message, 2);
  net.wait(first);
  net.wait(second);
}

/// Right, except that no message comes while a rank combines.
inline void asks_late(Net& net, const Operands& operands, const Params& params) {
  const Block V = operands.input, W = operands.result;
  const int p = net.size(), r = net.rank();
  const Blocks cut{V.count, prefix::blocks_of_chain(p, V.count, params)};
  const Block in = net.scratch(cut.count(0));
  Net::Request sent{};
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

// With pages.

/// Root 0 publishes both halves, all others read them, in these steps.
inline auto broadcasts_halves(std::array<int, 2> published, std::array<int, 2> read) {
  return [=](Net& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    const Block half[] = {message.part(0, message.count / 2),
                          message.part(message.count / 2, message.count - message.count / 2)};
    for (std::size_t i = 0; i < 2; ++i)
      if (net.rank() == 0)
        net.publish(half[i], published[i]);
      else
        net.read({.owner = 0, .step = read[i]}, half[i]);
  };
}

inline void publishes_all_at_once(Net& net, const Operands& operands, const Params&) {
  const Block message = operands.result;
  if (net.rank() == 0) return net.publish(message, 0);
  net.read({.owner = 0}, message);
}

inline auto reads_from(std::int64_t first) {
  return [=](Net& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    if (net.rank() == 0) return net.publish(message, 0);
    net.read({.owner = 0, .first = first}, message.part(0, message.count - 1));
    net.read({.owner = 0, .first = message.count - 1}, message.part(message.count - 1, 1));
  };
}

inline void reads_own_page(Net& net, const Operands& operands, const Params&) {
  const Block message = operands.result;
  if (net.rank() == 0) net.publish(message, 0);
  net.read({.owner = 0}, message);
}

inline void publishes_result_of_rank_0(Net& net, const Operands& operands, const Params& params) {
  if (net.rank() == 0) return net.publish(operands.result, 0);
  schedule::carry_out(named("exscan/shared_flat"), net, operands, params);
}

inline void reads_into_input(Net& net, const Operands& operands, const Params&) {
  const Block V = operands.input;
  if (net.rank() == 1) return net.publish(V, 0);
  if (net.rank() == 0) net.read({.owner = 1}, V);
}

/// If `early`, rank r publishes its own part instead of the sum, which takes its place in memory afterwards.
inline auto chain_of_pages(bool early) {
  return [=](Net& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int r = net.rank();
    const Block in = net.scratch(V.count);
    net.copy(V, W);
    if (early) net.publish(W, 0);
    if (r > 0) net.read_and_combine({.owner = r - 1}, in, W, W);
    if (!early) net.publish(W, 0);
  };
}

/// A rank that has been told of a failure keeps it to itself.
constexpr bool keep_to_oneself(bool failed, bool /*told*/) { return failed; }

}  // namespace mpigraft::mutants
