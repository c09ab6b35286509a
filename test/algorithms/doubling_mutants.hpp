// SPDX-License-Identifier: MIT
// Straight doubling, wrong on purpose in one thing of a round.
#pragma once

#include "test/algorithms/mutants.hpp"

namespace mpigraft::mutants {

/// A round of straight doubling.
struct Round {
  Block V, W, in;
  int s, to, from;
};

/// Straight doubling with its rounds left open.
inline auto doubling(void (*round)(Net& net, const Round& k)) {
  return [=](Net& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    const Block in = net.scratch(V.count);
    net.copy(V, W);
    for (int s = 1; s < p; s *= 2) round(net, Round{V, W, in, s, r + s < p ? r + s : none, r >= s ? r - s : none});
  };
}

inline void receive(Net& net, const Round& k) {
  if (k.from == none) return;
  net.recv(k.in, k.from);
  net.combine(k.in, k.W);
}

/// The round as it should be: the checker accepts what the others start from.
inline void exchange(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
}

/// Right as long as the operator commutes.
inline void swapped_operands(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from == none) return;
  net.combine(k.W, k.in);
  net.copy(k.in, k.W);
}

inline void counts_twice(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.s == 1 ? k.in : k.V, k.W);
}

inline void distance_off_by_one(Net& net, const Round& k) {
  const int p = net.size(), r = net.rank();
  net.sendrecv(k.W, r + k.s + 1 < p ? r + k.s + 1 : none, k.in, k.s < r ? r - k.s - 1 : none);
  if (k.s < r) net.combine(k.in, k.W);
}

inline void receiver_off_by_one(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, 0 < k.from ? k.from - 1 : none);
  if (0 < k.from) net.combine(k.in, k.W);
}

inline void last_round_missing(Net& net, const Round& k) {
  if (2 * k.s < net.size()) exchange(net, k);
}

/// Ends, since somebody only receives, but the ranks wait for each other in a row.
inline void sends_then_receives(Net& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  receive(net, k);
}

/// On a power of two all ranks send first, which ends only if the network buffers.
inline void butterfly_sends_first(Net& net, const Round& k) {
  net.send(k.W, net.rank() ^ k.s);
  net.recv(k.in, net.rank() ^ k.s);
  if (net.rank() & k.s) net.combine(k.in, k.W);
}

inline void combines_too_early(Net& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  if (k.from == none) return;
  const auto request = net.irecv(k.in, k.from);
  net.combine(k.in, k.W);
  net.wait(request);
}

inline void waits_twice(Net& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  if (k.from == none) return;
  const auto request = net.irecv(k.in, k.from);
  net.wait(request);
  net.wait(request);
}

inline void overwrites_what_it_sends(Net& net, const Round& k) {
  if (k.to == none) return receive(net, k);
  const auto request = net.isend(k.W, k.to);
  receive(net, k);
  net.wait(request);
}

inline void receives_into_what_it_sends(Net& net, const Round& k) { net.sendrecv(k.W, k.to, k.W, k.from); }

inline void never_waits(Net& net, const Round& k) {
  if (k.to == none || 2 * k.s < net.size()) return exchange(net, k);
  net.isend(k.W, k.to);
  receive(net, k);
}

inline void combines_into_lower(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.W, k.in, k.W);
}

inline void combines_once_more(Net& net, const Round& k) {
  exchange(net, k);
  if (k.s == 1 && k.from != none && k.to != none) net.combine(k.in, k.V, net.scratch(k.V.count));
}

/// Right, except for a program that wants whole vectors.
inline void combines_halves(Net& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from == none) return;
  const std::int64_t half = k.V.count / 2, rest = k.V.count - half;
  net.combine(k.in.part(0, half), k.W.part(0, half));
  net.combine(k.in.part(half, rest), k.W.part(half, rest));
}

inline void length_mismatch(Net& net, const Round& k) {
  net.sendrecv(k.W.part(0, 1), k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
}

inline void elements_shifted(Net& net, const Round& k) {
  const std::int64_t last = k.V.count - 1;
  net.sendrecv(k.W.part(0, last), k.to, k.in.part(1, last), k.from);
  net.sendrecv(k.W.part(last, 1), k.to, k.in.part(0, 1), k.from);
  if (k.from != none) net.combine(k.in, k.W);
}

inline void past_the_end(Net& net, const Round& k) {
  net.sendrecv(k.W.part(1, k.W.count), k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
}

}  // namespace mpigraft::mutants
