// SPDX-License-Identifier: MIT
// The nonblocking and the persistent forms of collectives. They are grafted as their blocking forms are; nonblocking
// ones only once the transport state exists, because all ranks make it together.
#pragma once

#include <optional>

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"
#include "shim/agree/fallback_reason.hpp"

namespace mpigraft::entry {

struct Communicator;
struct LastCall;

/// The state of the call's communicator, which a call that `sets_up` may make; null if it has none.
Communicator* communicator_for(LastCall& last, const abi::RawCall& raw, bool sets_up, abi::Refused& refused);

/// Grafts the nonblocking form of `call`, or counts it for the report. `request_place` is the address for its request.
/// Returns MPI's error code; nothing if MPI must make the call.
std::optional<int> graft_nonblocking(const abi::RawCall& call, void* request_place);

/// Grafts the persistent form of `call`, or counts it for the report. `request_place` is the address for its request.
/// Returns MPI's error code; nothing if MPI must make the call. Collective: it may wait for other ranks, as MPI's own
/// may.
std::optional<int> graft_persistent(const abi::RawCall& call, void* request_place);

/// Counts a nonblocking or persistent call that stays native, if there is a report. `communicator` may be null. Returns
/// nothing: MPI makes the call.
std::nullopt_t leave(const Communicator* communicator, const abi::RawCall& call, agree::FallbackReason reason);

}  // namespace mpigraft::entry
