// SPDX-License-Identifier: MIT
// The two ports of a rank in a pipeline (one outstanding send, one outstanding receive), and its scratch blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// Sends one block after the other. A block must stay untouched until the next `send` or `finish`.
template <AsyncTransport T>
class Outbox {
 public:
  explicit Outbox(T& net) : net_(net) {}
  void send(Block block, int to) {
    finish();
    request_ = net_.isend(block, to);
    block_ = block;
    pending_ = true;
  }
  void finish() {
    if (pending_) net_.wait(request_);
    pending_ = false;
  }
  /// Call this before writing to `block`, which may still be under way.
  void finish(Block block) {
    if (block == block_) finish();
  }

 private:
  T& net_;
  Block block_;
  typename T::Request request_{};
  bool pending_ = false;
};

/// Receives one block after the other. Expecting the next block before using the last one overlaps transfer and work.
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

/// Number of scratch blocks for a pipeline that combines: for the next arrival, the last arrival, the block that it is
/// joined to, and the one being sent. A pipeline of few blocks has only as many as fit into twice the vector.
constexpr int pool_size(const Blocks& cut) { return static_cast<int>(std::min<std::int64_t>(cut.b + 1, 4)); }

/// Scratch blocks of one length, for arrivals and sums. A block that is sent becomes free when its send is over; `take`
/// waits for that only if no other block is free.
template <AsyncTransport T>
class Pool {
 public:
  static constexpr int most = 5;

  /// REQUIRES: size <= most.
  Pool(T& net, Outbox<T>& out, int size, std::int64_t length) : out_(out) {
    for (; free_ < size; ++free_) blocks_[static_cast<std::size_t>(free_)] = net.scratch(length);
    if (size > 0) first_ = blocks_[0].origin, end_ = first_ + size;
  }
  Block take(std::int64_t count) {
    if (free_ == 0) {
      out_.finish();
      lend({});
    }
    return blocks_.at(static_cast<std::size_t>(--free_)).part(0, count);
  }
  /// Frees a block; ignores one that is not from the pool.
  void give(Block block) {
    if (owns(block)) blocks_.at(static_cast<std::size_t>(free_++)) = {block.origin, 0, 0};
  }
  /// Announces `block`, from the pool or not, as the next to be sent; the one sent before becomes free.
  Block lend(Block block) {
    give(std::exchange(lent_, block));
    return block;
  }

 private:
  bool owns(Block block) const { return first_ <= block.origin && block.origin < end_; }

  Outbox<T>& out_;
  std::array<Block, most> blocks_;
  int free_ = 0, first_ = 0, end_ = 0;
  Block lent_;
};

/// Runs steps 0..steps-1, each with at most one send and one receive. If `ahead`, each receive is posted as soon as the
/// one before has come, before that block is used; otherwise in its own step. `rank` provides
///   in(s), out(s)      the moves of step s, each with a `peer`, which may be `none`
///   room(in)           the block to receive into
///   departing(out)     the block to send
///   arrived(in, block) what to do with a received block
///   before(s)          optional: what to do at the begin of step s
template <AsyncTransport T, class Rank>
void run_steps(T& net, Outbox<T>& out, std::int64_t steps, Rank& rank, bool ahead) {
  Inbox<T> inbox(net);
  const auto expect_from = [&](std::int64_t s) {
    for (; s < steps; ++s)
      if (const auto in = rank.in(s); in.peer != none) return inbox.expect(rank.room(in), in.peer);
  };
  if (ahead) expect_from(0);
  for (std::int64_t s = 0; s < steps; ++s) {
    if constexpr (requires { rank.before(s); }) rank.before(s);
    if (const auto leaving = rank.out(s); leaving.peer != none) out.send(rank.departing(leaving), leaving.peer);
    const auto in = rank.in(s);
    if (in.peer == none) continue;
    if (!ahead) expect_from(s);
    const Block block = inbox.take();
    if (ahead) expect_from(s + 1);
    rank.arrived(in, block);
  }
  out.finish();
}

}  // namespace mpigraft
