// SPDX-License-Identifier: MIT
// The state that mpigraft keeps for a communicator of the program, as an attribute on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "shim/agree/agreement.hpp"
#include "shim/entry/in_flight.hpp"
#include "shim/learn/learner.hpp"
#include "shim/observe/seen.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft::entry {

struct Communicator {
  /// Takes part in the exchange.
  explicit Communicator(abi::Comm comm);

  std::unique_ptr<learn::Learner> learner;  // null: its calls are not learned of
  agree::Agreement agreed;
  operation::Traffic traffic;
  observe::Seen seen;
  InFlight in_flight{*this};
  bool wants_traffic = false;  // the next blocking call makes it, for nonblocking ones
};

/// This rank's knowledge of a communicator at a call.
struct Known {
  Communicator* communicator = nullptr;
  int young_call = 0;         // the call is the n-th of its native first ones; 0: it is none
  abi::Refused refused = {};  // the handle is not of a communicator, or no longer
};

/// Counts a call on a communicator. Its state is made by the exchange at the first call that is none of its native
/// first ones. It is null until then, and where mpigraft must stay out: before MPI_Init and in MPI_Finalize, for
/// anything but a communicator, and where this rank had no memory for it.
///
/// `native_first_calls` stay native because many communicators are freed after one or two: on a crowded node exchange,
/// private communicator and segment cost as much as about so many native calls.
///
/// The ranks count alike without a message: all entry points are collective, so each rank takes part in the same calls.
/// A call counts before anything of it is looked at. MPI's refusal takes that back: it comes before the first message,
/// and a rank may have made that call alone. Nothing else that may differ between ranks may change the number, no
/// setting and no table.
Known count_call(abi::Comm comm);

/// The same without counting it, and without an exchange: for calls that must not wait for other ranks.
Known known_communicator(abi::Comm comm);

/// Sees to it that the report is written in MPI_Finalize. Done at the first call that is counted; a program may have
/// none.
void watch_finalize();

/// Takes back the count of a communicator's n-th call, which MPI refused.
void uncount_call(abi::Comm comm, int n);

/// The state that a communicator has, or null.
Communicator* communicator_of(abi::Comm comm);

/// A state that is kept may be remembered until this changes: when any state is gone, whose communicator's handle may
/// come again, when MPI_Finalize begins, and when a communicator turns out to get no traffic.
inline std::atomic<std::uint64_t> generation{0};

}  // namespace mpigraft::entry
