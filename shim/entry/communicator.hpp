// SPDX-License-Identifier: MIT
// The state that mpigraft keeps for a communicator of the program.
#pragma once

#include <memory>

#include "shim/agree/negotiation.hpp"
#include "shim/entry/attribute.hpp"
#include "shim/entry/in_flight.hpp"
#include "shim/entry/known_calls.hpp"
#include "shim/entry/made_call.hpp"
#include "shim/execute/transport_state.hpp"
#include "shim/learn/learner.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {

struct Communicator {
  /// Takes part in the negotiation. Collective.
  Communicator(abi::Comm comm, agree::Contact& contact);

  std::unique_ptr<learn::Learner> learner;  // null: no learning from its calls
  agree::Negotiated agreed;
  execute::TransportState transport;
  observe::CountedRow* last_row = nullptr;  // of the report, if there is one
  execute::TransportPool transports;
  KnownCalls known_calls{agreed.size};
  InFlight in_flight{*this};
  bool wants_transport = false;  // the next blocking call makes transport states for nonblocking calls
  bool has_forgotten = false;    // all decisions, because there will be no transport state
};

/// The attribute at a blocking call. Makes the state by the negotiation if that is due. The state is due at the first
/// call on MPI_COMM_WORLD. On others the first calls stay native, because many communicators are freed after a few: at
/// least `native_first_calls`, and where each takes little time, as many as pay for the set-up (shim/agree/price.hpp).
///
/// The ranks count alike without a message, because all take part in the same calls. Nothing that may differ between
/// ranks, such as a setting, may decide when they negotiate, except that a call which MPI refuses sets nothing up.
/// `at_once`: the first calls are not waited for.
Attribute attribute_for_call(const abi::RawCall& raw, bool at_once = false);

/// True if MPI refuses the arguments of a call on a communicator of `size` ranks, on this rank and perhaps on no other.
/// It does so before the first message, so this rank must make no step that takes all ranks.
bool is_refused(const abi::RawCall& raw, int size);

/// True if the next call on a warming_up communicator stays native.
bool keeps_warming_up(const WarmUp& warm_up, bool is_world);

/// Counts a native call on a communicator that is not known to be warming_up. A call that MPI refuses does not count:
/// MPI refuses it before the first message, and a rank may have made it alone.
void count_native_call(abi::Comm comm, const abi::RawCall& raw);

/// Makes MPI_Finalize write the report. The first blocking call does so; MPI_Finalize itself does it for programs
/// without one.
void watch_finalize();

/// The state of a communicator; null: it has none.
Communicator* communicator_of(abi::Comm comm);

}  // namespace mpigraft::entry
