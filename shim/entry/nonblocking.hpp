// SPDX-License-Identifier: MIT
// The nonblocking and the persistent forms of collectives. They are grafted as their blocking forms are; nonblocking
// ones only once the transport state exists, because all ranks make it together.
#pragma once

#include <optional>

#include "shim/abi/call.hpp"
#include "shim/agree/fallback_reason.hpp"

namespace mpigraft::entry {

struct Communicator;
struct PlannedCall;

/// Grafts the nonblocking or the persistent form of `call`, or counts it for the report. `request_place` is the address
/// for its request. Returns MPI's error code; nothing if MPI must make the call. Collective if it is persistent: it may
/// wait for other ranks, as MPI's own may.
std::optional<int> graft_starting(const abi::RawCall& call, void* request_place, bool persistent);

/// Makes the persistent operation for a call that is planned by an algorithm, with a transport state of its own.
std::optional<int> make_persistent(Communicator& communicator, const PlannedCall& planned, void* request_place);

/// Counts a nonblocking or persistent call that stays native, if there is a report. `communicator` may be null. Returns
/// nothing: MPI makes the call.
std::nullopt_t leave(const Communicator* communicator, const abi::RawCall& call, agree::FallbackReason reason);

}  // namespace mpigraft::entry
