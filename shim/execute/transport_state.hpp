// SPDX-License-Identifier: MIT
#pragma once

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
  std::uint64_t sequence = 0;              // grafted calls so far; each piece of a long one counts
  std::uint64_t sent_ahead = 0;            // those of them whose messages MPI may buffer
  std::unique_ptr<std::int64_t[]> firsts;  // Parts::firsts of a call, for size + 1 numbers
  Scratch scratch;
  Scratch copies;                          // of buffers in a GPU's memory
  std::optional<memory::Channel> channel;  // to ranks of this node; other nodes may have none
  std::optional<memory::Pages> pages;      // exists on all ranks or on none; only on a single node
  ScheduleCache schedules;

 private:
  struct Lease;

  memory::Pool* pool_ = nullptr;  // the segment is part number `part_` of it
  int part_ = 0;
};

}  // namespace mpigraft::execute
