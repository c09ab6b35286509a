// SPDX-License-Identifier: MIT
// Straight doubling, wrong on purpose in one thing of a round.
#pragma once

#include "test/algorithms/mutants.hpp"

namespace mpigraft::mutants {

/// A round of straight doubling, and what a rank may do in it.
struct Round : Rank {
  Block in;
  int s, to, from;

  void receive() {
    if (from == none) return;
    net.recv(in, from);
    net.combine(in, W);
  }

  void exchange(Block out, int to, int from) {
    net.sendrecv(out, to, in, from);
    if (from != none) net.combine(in, W);
  }
  /// The round as it should be: the checker accepts what the others start from.
  void exchange() { exchange(W, to, from); }

  void distance_off_by_one() { exchange(W, r + s + 1 < p ? r + s + 1 : none, s < r ? r - s - 1 : none); }
  void receiver_off_by_one() { exchange(W, to, 0 < from ? from - 1 : none); }
  void length_mismatch() { exchange(W.part(0, 1), to, from); }
  void past_the_end() { exchange(W.part(1, W.count), to, from); }

  /// Right as long as the operator commutes.
  void swapped_operands() {
    net.sendrecv(W, to, in, from);
    if (from == none) return;
    net.combine(W, in);
    net.copy(in, W);
  }

  void counts_twice() {
    net.sendrecv(W, to, in, from);
    if (from != none) net.combine(s == 1 ? in : V, W);
  }

  void last_round_missing() {
    if (2 * s < p) exchange();
  }

  /// Ends, since somebody only receives, but the ranks wait for each other in a row.
  void sends_then_receives() {
    if (to != none) net.send(W, to);
    receive();
  }

  /// On a power of two all ranks send first, which ends only if the network buffers.
  void butterfly_sends_first() {
    net.send(W, r ^ s);
    net.recv(in, r ^ s);
    if (r & s) net.combine(in, W);
  }

  void combines_too_early() {
    if (to != none) net.send(W, to);
    if (from == none) return;
    const auto request = net.irecv(in, from);
    net.combine(in, W);
    net.wait(request);
  }

  void waits_twice() {
    if (to != none) net.send(W, to);
    if (from == none) return;
    const auto request = net.irecv(in, from);
    net.wait(request);
    net.wait(request);
  }

  void overwrites_what_it_sends() {
    if (to == none) return receive();
    const auto request = net.isend(W, to);
    receive();
    net.wait(request);
  }

  void receives_into_what_it_sends() { net.sendrecv(W, to, W, from); }

  void never_waits() {
    if (to == none || 2 * s < p) return exchange();
    net.isend(W, to);
    receive();
  }

  void combines_into_lower() {
    net.sendrecv(W, to, in, from);
    if (from != none) net.combine(W, in, W);
  }

  void combines_once_more() {
    exchange();
    if (s == 1 && from != none && to != none) net.combine(in, V, net.scratch(V.count));
  }

  /// Right, except for a program that wants whole vectors.
  void combines_halves() {
    net.sendrecv(W, to, in, from);
    if (from == none) return;
    const std::int64_t half = V.count / 2, rest = V.count - half;
    net.combine(in.part(0, half), W.part(0, half));
    net.combine(in.part(half, rest), W.part(half, rest));
  }

  void elements_shifted() {
    const std::int64_t last = V.count - 1;
    net.sendrecv(W.part(0, last), to, in.part(1, last), from);
    net.sendrecv(W.part(last, 1), to, in.part(0, 1), from);
    if (from != none) net.combine(in, W);
  }
};

/// Straight doubling with its rounds left open. The rank has its own value if it `copies` it.
inline Run doubling(void (Round::*round)(), bool copies = true) {
  return [=](Rank& k) {
    const Block in = k.net.scratch(k.V.count);
    if (copies) k.net.copy(k.V, k.W);
    for (int s = 1; s < k.p; s *= 2) {
      Round each{k, in, s, k.r + s < k.p ? k.r + s : none, k.r >= s ? k.r - s : none};
      (each.*round)();
    }
  };
}

}  // namespace mpigraft::mutants
