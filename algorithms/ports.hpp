// SPDX-License-Identifier: MIT
// The two ports of a rank in a pipeline, one message each at a time.
#pragma once

#include "algorithms/transport.hpp"

namespace mpigraft {

/// Sends one block after the other; a block stays untouched until the next `send` or `finish`.
template <AsyncTransport T>
class Outbox {
 public:
  explicit Outbox(T& net) : net_(net) {}
  void send(Block block, int to) {
    finish();
    request_ = net_.isend(block, to);
    pending_ = true;
  }
  void finish() {
    if (pending_) net_.wait(request_);
    pending_ = false;
  }

 private:
  T& net_;
  typename T::Request request_{};
  bool pending_ = false;
};

/// Receives one block after the other, each announced before the one before it is used.
template <AsyncTransport T>
class Inbox {
 public:
  explicit Inbox(T& net) : net_(net) {}
  /// REQUIRES: what was expected before has been taken.
  void expect(Block block, int from) {
    block_ = block;
    request_ = net_.irecv(block, from);
  }
  Block take() {
    net_.wait(request_);
    return block_;
  }

 private:
  T& net_;
  Block block_;
  typename T::Request request_{};
};

}  // namespace mpigraft
