// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "shim/agree/negotiation.hpp"
#include "shim/execute/schedules.hpp"
#include "shim/execute/scratch.hpp"
#include "shim/memory/channel.hpp"
#include "shim/memory/pages.hpp"
#include "shim/memory/pool.hpp"

namespace mpigraft::execute {

/// The means by which grafted calls of one communicator exchange messages. It is made when the first algorithm is about
/// to run, and carries one execution at a time: a receive takes any tag, because the tag tells whether the sender
/// failed, and a ring keeps the order of its messages. Executions that are in flight at the same time need one
/// transport state each. Then none waits for another, in whatever order the ranks carry them on. All ranks must choose
/// the same transport state for an execution.
struct TransportState {
  TransportState() = default;
  ~TransportState();
  TransportState(const TransportState&) = delete;
  TransportState& operator=(const TransportState&) = delete;

  /// Makes what executions inside a node need, at the first call. Returns true if all ranks have it. Collective; called
  /// only after a decision that is equal on all ranks.
  bool ensure(const agree::Negotiated& agreed);

  enum class Outcome { made, later, never };
  /// Makes the private communicator, for messages that MPI carries. The outcome is equal on all ranks; `later`: a rank
  /// is in a callback of MPI, where it cannot be made. Collective, as ensure(). REQUIRES: ensure().
  Outcome ensure_comm(const agree::Negotiated& agreed);

  static inline std::atomic<int> private_communicators{0};  // in this process

  bool made = false;                                               // by ensure()
  abi::Comm comm = abi::Comm::null;                                // the private communicator
  agree::FallbackReason impossible = agree::FallbackReason::none;  // why it cannot be made
  bool carries_on = false;                 // nonblocking calls can be carried on in any call of MPI
  bool holds_operators = false;            // MPI_Op_free reaches us, so that they can have operators of the program
  bool in_call = false;                    // true: an execution has begun and, unless it is under way, was left early
  std::uint64_t queued = 0, over = 0;      // nonblocking calls so far, which run one after the other
  std::uint64_t sequence = 0;              // grafted calls so far; each piece of a long one counts
  std::uint64_t sent_ahead = 0;            // those of them whose messages MPI may buffer
  std::unique_ptr<std::int64_t[]> firsts;  // Parts::firsts of a call, for size + 1 numbers
  Scratch scratch;
  Scratch copies;                          // of buffers in a GPU's memory
  std::optional<memory::Channel> channel;  // to ranks of this node; other nodes may have none
  std::optional<memory::Pages> pages;      // exists on all ranks or on none; only on a single node
  ScheduleCache schedules;
  schedule::Schedule barrier;  // this rank's, made with the private communicator

 private:
  struct Lease;

  memory::Pool* pool_ = nullptr;  // the segment is part number `part_` of it
  int part_ = 0;
};

/// Further transport states of a communicator, so that several operations can be under way at a time. Each persistent
/// one has one of its own, because ranks may start several in different orders (MPI-4.0, 6.13). Nonblocking calls,
/// whose order is the same on all ranks, take turns.
class TransportPool {
 public:
  static constexpr std::size_t most_turns = 3;  // for nonblocking calls

  ~TransportPool();

  /// Lends a transport state that is free on all ranks, with the means of `main`, which is the communicator's; with a
  /// private communicator if `needs_comm`. Null, on all ranks, if there is none or any rank is not `ready`. Collective.
  TransportState* take(const agree::Negotiated& agreed, const TransportState& main, bool ready, bool needs_comm) {
    return take_of(0, most_persistent, agreed, main, ready, needs_comm);
  }
  /// Ends this rank's use.
  void give_back(const TransportState& state);

  /// Takes transport states for nonblocking calls, as many as are free. Collective, as take().
  void take_turns(const agree::Negotiated& agreed, const TransportState& main);
  /// The transport state of a nonblocking call, by its number.
  TransportState& in_turn(std::uint64_t call, TransportState& main) const {
    const std::size_t turn = turns_ == 0 ? 0 : call % (turns_ + 1);
    return turn == 0 ? main : *in_turns_[turn - 1];
  }

 private:
  struct Member {
    TransportState state;
    bool taken = false;
    bool is_usable = true;  // as far as is known; equal on all ranks
    std::size_t bytes = 0;  // of shared memory
  };
  static constexpr std::size_t most_persistent = 8, most = most_persistent + most_turns;

  TransportState* take_of(std::size_t begin, std::size_t end, const agree::Negotiated& agreed,
                          const TransportState& main, bool ready, bool needs_comm);
  bool make_usable(Member& member, const agree::Negotiated& agreed, const TransportState& main, bool needs_comm);

  // those of persistent operations, then those of nonblocking calls
  std::array<std::unique_ptr<Member>, most> members_;
  std::array<TransportState*, most_turns> in_turns_{};
  std::size_t turns_ = 0;
};

}  // namespace mpigraft::execute
