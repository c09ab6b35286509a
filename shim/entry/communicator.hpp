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
  /// Takes part in the exchange. Collective.
  explicit Communicator(abi::Comm comm);

  std::unique_ptr<learn::Learner> learner;  // null: no learning from its calls
  agree::Agreement agreed;
  operation::Traffic traffic;
  observe::Seen seen;
  InFlight in_flight{*this};
  bool wants_traffic = false;  // the next blocking call makes the traffic, for nonblocking calls
};

/// The facts that this rank knows about a communicator at a call.
struct Known {
  Communicator* communicator = nullptr;
  int young_call = 0;         // the call's number among the native first ones; 0: it is not one of them
  abi::Refused refused = {};  // set if MPI refused the handle
};

/// Counts a call on a communicator. The first call after its native first ones makes its state by the exchange. The
/// state is null until then. It is also null before MPI_Init and in MPI_Finalize, for a handle that is no communicator,
/// and if this rank had no memory for it.
///
/// The first `native_first_calls` calls stay native, because many communicators are freed after one or two calls. On a
/// crowded node the exchange, the private communicator and the segment cost about as much as so many native calls.
///
/// The ranks count alike without a message, because all entry points are collective: each rank takes part in the same
/// calls. A call counts before its arguments are looked at. If MPI refuses it, it does not count, because MPI refuses
/// before the first message, and a rank may have made the call alone. Nothing else that may differ between ranks, such
/// as a setting or a table, may change the number.
Known count_call(abi::Comm comm);

/// As count_call, without counting and without an exchange, for calls that must not wait for other ranks.
Known known_communicator(abi::Comm comm);

/// Makes MPI_Finalize write the report. The first counted call does so; MPI_Finalize itself does it for programs
/// without one.
void watch_finalize();

/// Takes a communicator's n-th call, which MPI refused, out of the count.
void uncount_call(abi::Comm comm, int n);

/// The state of a communicator; null: it has none.
Communicator* communicator_of(abi::Comm comm);

/// A pointer to a state may be kept until this number changes. It changes when any state is deleted, because MPI may
/// reuse the communicator's handle, when MPI_Finalize begins, and when a communicator turns out to get no traffic or
/// wants it.
inline std::atomic<std::uint64_t> generation{0};

}  // namespace mpigraft::entry
