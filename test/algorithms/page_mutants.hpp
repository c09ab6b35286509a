// SPDX-License-Identifier: MIT
// Algorithms with pages that are wrong on purpose.
#pragma once

#include "algorithms/bcast/shared_flat.hpp"
#include "algorithms/prefix/shared_flat.hpp"
#include "algorithms/reduce/shared_flat.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/doubling_mutants.hpp"
#include "test/algorithms/mutants.hpp"

namespace mpigraft::mutants {

/// Root 0 publishes both halves, all others read them.
template <class Steps>
struct broadcasts_halves : Like<bcast::shared_flat> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    const Block half[] = {message.part(0, message.count / 2),
                          message.part(message.count / 2, message.count - message.count / 2)};
    for (int i = 0; i < 2; ++i)
      if (net.rank() == 0)
        net.publish(half[i], Steps::publish(i));
      else
        net.read({.owner = 0, .step = Steps::read(i)}, half[i]);
  }
};

struct InOrder {
  static int publish(int i) { return i; }
  static int read(int i) { return i; }
};
struct PublishesBackwards : InOrder {
  static int publish(int i) { return 1 - i; }
};
struct PublishesInOneStep : InOrder {
  static int publish(int) { return 1; }
};
struct ReadsBackwards : InOrder {
  static int read(int i) { return 1 - i; }
};
struct ReadsNextStep : InOrder {
  static int read(int i) { return i + 1; }
};
struct BelowZero : InOrder {
  static int publish(int i) { return i - 1; }
};

struct publishes_all_at_once : Like<bcast::shared_flat> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    if (net.rank() == 0) return net.publish(message, 0);
    net.read({.owner = 0}, message);
  }
};

template <std::int64_t first>
struct reads_from : Like<bcast::shared_flat> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    if (net.rank() == 0) return net.publish(message, 0);
    net.read({.owner = 0, .first = first}, message.part(0, message.count - 1));
    net.read({.owner = 0, .first = message.count - 1}, message.part(message.count - 1, 1));
  }
};

struct reads_own_page : Like<bcast::shared_flat> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block message = operands.result;
    if (net.rank() == 0) net.publish(message, 0);
    net.read({.owner = 0}, message);
  }
};

struct publishes_result_of_rank_0 : Like<prefix::shared_flat<true>> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block W = operands.result;
    if (net.rank() == 0) return net.publish(W, 0);
    schedule::carry_out(prefix::shared_flat<true>::info, net, operands, params);
  }
};

struct reads_into_input : Like<reduce::shared_flat> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input;
    if (net.rank() == 1) return net.publish(V, 0);
    if (net.rank() == 0) net.read({.owner = 1}, V);
  }
};

/// If `early`, rank r publishes its own part instead of the sum, which takes its place in memory afterwards.
template <bool early>
struct chain_of_pages : Like<reads_input_late> {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const Block V = operands.input, W = operands.result;
    const int r = net.rank();
    const Block in = net.scratch(V.count);
    net.copy(V, W);
    if (early) net.publish(W, 0);
    if (r > 0) net.read_and_combine({.owner = r - 1}, in, W, W);
    if (!early) net.publish(W, 0);
  }
};

}  // namespace mpigraft::mutants
