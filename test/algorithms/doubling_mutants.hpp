// SPDX-License-Identifier: MIT
// Algorithms that are wrong on purpose, each in one thing of a round of straight doubling.
#pragma once

#include "algorithms/scan/hillis_steele.hpp"

namespace mpigraft::mutants {

/// States what the unharmed algorithm states.
template <class Real>
struct Like {
  static constexpr AlgorithmInfo info = Real::info;
};
using LikeScan = Like<scan::hillis_steele>;

/// A round of straight doubling.
struct Round {
  Block V, W, in;
  int s, to, from;
};

/// Straight doubling with its rounds left open. (GCC 12 takes a '>' of such a lambda for the end of the arguments.)
template <auto round>
struct Doubling : LikeScan {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int p = net.size(), r = net.rank();
    const Block in = net.scratch(V.count);
    net.copy(V, W);
    for (int s = 1; s < p; s *= 2) round(net, Round{V, W, in, s, r + s < p ? r + s : none, r >= s ? r - s : none});
  }
};

constexpr auto receive = [](auto& net, const Round& k) {
  if (k.from == none) return;
  net.recv(k.in, k.from);
  net.combine(k.in, k.W);
};

/// The round as it should be.
constexpr auto exchange = [](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
};

/// No mutant: the checker accepts what the others start from.
using unharmed = Doubling<exchange>;

using swapped_operands = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from == none) return;
  net.combine(k.W, k.in);
  net.copy(k.in, k.W);
}>;

template <class Mutant>
struct Commuting : Mutant {
  static constexpr AlgorithmInfo info = [] {
    AlgorithmInfo commutative = Mutant::info;
    commutative.commutative = true;
    return commutative;
  }();
};

/// Right as long as the operator commutes.
using swapped_commutative = Commuting<swapped_operands>;

using counts_twice = Commuting<Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.s == 1 ? k.in : k.V, k.W);
}>>;

using distance_off_by_one = Doubling<[](auto& net, const Round& k) {
  const int p = net.size(), r = net.rank();
  net.sendrecv(k.W, r + k.s + 1 < p ? r + k.s + 1 : none, k.in, k.s < r ? r - k.s - 1 : none);
  if (k.s < r) net.combine(k.in, k.W);
}>;

using receiver_off_by_one = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, 0 < k.from ? k.from - 1 : none);
  if (0 < k.from) net.combine(k.in, k.W);
}>;

using last_round_missing = Doubling<[](auto& net, const Round& k) {
  if (2 * k.s < net.size()) exchange(net, k);
}>;

/// Ends, since somebody only receives, but the ranks wait for each other in a row.
using sends_then_receives = Doubling<[](auto& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  receive(net, k);
}>;

/// On a power of two all ranks send first, which ends only if the network buffers.
using butterfly_sends_first = Doubling<[](auto& net, const Round& k) {
  net.send(k.W, net.rank() ^ k.s);
  net.recv(k.in, net.rank() ^ k.s);
  if (net.rank() & k.s) net.combine(k.in, k.W);
}>;

using combines_too_early = Doubling<[](auto& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  if (k.from == none) return;
  const auto request = net.irecv(k.in, k.from);
  net.combine(k.in, k.W);
  net.wait(request);
}>;

using waits_twice = Doubling<[](auto& net, const Round& k) {
  if (k.to != none) net.send(k.W, k.to);
  if (k.from == none) return;
  const auto request = net.irecv(k.in, k.from);
  net.wait(request);
  net.wait(request);
}>;

using overwrites_what_it_sends = Doubling<[](auto& net, const Round& k) {
  if (k.to == none) return receive(net, k);
  const auto request = net.isend(k.W, k.to);
  receive(net, k);
  net.wait(request);
}>;

using receives_into_what_it_sends = Doubling<[](auto& net, const Round& k) { net.sendrecv(k.W, k.to, k.W, k.from); }>;

using never_waits = Doubling<[](auto& net, const Round& k) {
  if (k.to == none || 2 * k.s < net.size()) return exchange(net, k);
  net.isend(k.W, k.to);
  receive(net, k);
}>;

using combines_into_lower = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from != none) net.combine(k.W, k.in, k.W);
}>;

using combines_once_more = Doubling<[](auto& net, const Round& k) {
  exchange(net, k);
  if (k.s == 1 && k.from != none && k.to != none) net.combine(k.in, k.V, net.scratch(k.V.count));
}>;

/// Right, except for a program that wants whole vectors.
using combines_halves = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W, k.to, k.in, k.from);
  if (k.from == none) return;
  const std::int64_t half = k.V.count / 2, rest = k.V.count - half;
  net.combine(k.in.part(0, half), k.W.part(0, half));
  net.combine(k.in.part(half, rest), k.W.part(half, rest));
}>;

using length_mismatch = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W.part(0, 1), k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
}>;

using elements_shifted = Doubling<[](auto& net, const Round& k) {
  const std::int64_t last = k.V.count - 1;
  net.sendrecv(k.W.part(0, last), k.to, k.in.part(1, last), k.from);
  net.sendrecv(k.W.part(last, 1), k.to, k.in.part(0, 1), k.from);
  if (k.from != none) net.combine(k.in, k.W);
}>;

using past_the_end = Doubling<[](auto& net, const Round& k) {
  net.sendrecv(k.W.part(1, k.W.count), k.to, k.in, k.from);
  if (k.from != none) net.combine(k.in, k.W);
}>;

}  // namespace mpigraft::mutants
