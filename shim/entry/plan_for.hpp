// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/communicator.hpp"

namespace mpigraft::entry {

/// A call with its facts, and the plan for it. The pointers are valid until the next call on the communicator.
struct PlannedCall {
  PlannedCall(const abi::RawCall& raw, const abi::CallFacts& facts) : call(raw, facts) {}

  abi::Call call;
  KnownCall* known;
  const execute::Plan* plan;  // that of `known`, unless this call's arguments are wrong
};

/// Decides about a call of which nothing is known.
void plan_anew(LastCall& last, PlannedCall& planned, bool blocks);
/// The plan for a call that is like a known one except for its buffers.
const execute::Plan* decide_again(const agree::Negotiated& agreed, const KnownCall& known, const abi::Call& call);

/// The plan for a call on the communicator that `last` knows. If none is known for calls like it, this is collective;
/// `blocks`: then the ranks may wait for each other, to make what the call needs.
inline PlannedCall plan_for(LastCall& last, const abi::RawCall& raw, bool blocks = true) {
  Communicator& communicator = *last.communicator;
  if (!last.known || !last.known->is_of(raw)) last.known = communicator.known_calls.find(raw);
  static constexpr abi::CallFacts no_facts;
  KnownCall* const known = last.known;
  if (known) known->resize(raw);
  PlannedCall planned(raw, known ? known->facts : no_facts);
  if (known)
    planned.known = known, planned.plan = decide_again(communicator.agreed, *known, planned.call);
  else
    plan_anew(last, planned, blocks);
  return planned;
}

/// Forgets all decisions. What they rely on changes only if the communicator turns out to get no transport state.
void forget_calls(Communicator& communicator);
/// Does so, once, if that is so. Called on all ranks, by whoever has asked for the state.
void forget_if_impossible(Communicator& communicator);

/// True if MPIGRAFT_FORCE=strict makes a call an error, because an algorithm is named but cannot run. Calls with
/// MPIGRAFT_DISABLE are none. Nor are calls after a rank had no memory: without its state that rank would not know of
/// the error, and wait for the others.
bool strict_forbids(const agree::Negotiated& agreed, const execute::Decision& decision);
/// Says once why strict_forbids() is true. Raises and returns MPI_ERR_OTHER.
int refuse(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& decision);

/// Says once in which call ranks differ if this error of it ends the program. MPI raises it on the communicator
/// `raises`; for a request that is MPI_COMM_WORLD.
void tell_before_end(const agree::Negotiated& agreed, const abi::Call& call, int error, abi::Comm raises);
/// Does so, calls the handler with the error class of the call, and returns it.
int raise(const agree::Negotiated& agreed, const abi::Call& call, int error);

}  // namespace mpigraft::entry
