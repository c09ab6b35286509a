// SPDX-License-Identifier: MIT
#include "shim/entry/nonblocking.hpp"

#include "shim/entry/communicator.hpp"
#include "shim/entry/plan_for.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

/// The reason why the call stays native whatever the table says; equal on all ranks.
agree::FallbackReason reason_of(const Communicator* communicator) {
  if (!communicator || !communicator->transport.made) return agree::FallbackReason::early;
  return communicator->transport.carries_on ? agree::FallbackReason::none : agree::FallbackReason::not_carried_on;
}

/// If an algorithm is chosen for the call, makes the next blocking call make the transport state. All remembered calls
/// are forgotten, so that the next one looks at wants_transport.
void want_transport(Communicator& communicator, const abi::RawCall& raw) {
  if (communicator.wants_transport || communicator.transport.impossible != agree::FallbackReason::none) return;
  abi::Call call(raw);
  if (execute::decide_native(communicator.agreed, call).is_native()) return;
  communicator.wants_transport = true;
  ++generation;
}

/// Counts a call that MPI makes.
void count_native(const agree::Negotiated& agreed, const abi::RawCall& raw, agree::FallbackReason reason) {
  abi::Call call(raw);
  execute::Decision decision = execute::decide_native(agreed, call);
  if (!decision.is_native()) decision = {{.reason = table::Reason::refused}, reason};
  const observe::CountedCall counted(agreed, false, call, decision);
}

}  // namespace

Communicator* communicator_for(LastCall& last, const abi::RawCall& raw, bool sets_up, abi::Refused& refused) {
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  if (last.knows(raw, now) && (last.communicator || !sets_up)) return last.communicator;  // null while it warms up
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  const Known known = sets_up ? known_for_call(comm, true) : known_communicator(comm);
  refused = known.refused;
  if (known.communicator) last.remember(raw, now, *known.communicator);
  return known.communicator;
}

bool leave(const Communicator* communicator, const abi::RawCall& raw, agree::FallbackReason reason) {
  if (!observe::asks_for_report()) return false;
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  if (communicator) {
    count_native(communicator->agreed, raw, reason);
  } else if (abi::is_communicator(comm) && abi::is_up()) {
    agree::Negotiated passing(comm);
    passing.fallback = agree::native_by_nature(passing.comm);
    if (passing.fallback == agree::FallbackReason::none) passing.fallback = reason;
    count_native(passing, raw, passing.fallback);
  }
  return false;
}

bool graft_nonblocking(const abi::RawCall& raw, void* request_place, int& error) {
  if (!request_place) return false;  // MPI reports this error
  LastCall& last = last_call_of(raw);
  abi::Refused refused;
  Communicator* const communicator = communicator_for(last, raw, false, refused);
  error = refused.value_or(abi::success);
  if (refused) return true;
  if (const agree::FallbackReason reason = reason_of(communicator); reason != agree::FallbackReason::none) {
    if (communicator && reason == agree::FallbackReason::early) want_transport(*communicator, raw);
    return leave(communicator, raw, reason);
  }
  if (stays_native(raw)) return false;
  const PlannedCall planned = plan_for(last, raw, false);
  const abi::Call& call = planned.call;
  const execute::Decision& decision = planned.plan->decision;
  if (decision.fallback == agree::FallbackReason::later) {
    want_transport(*communicator, raw);
    return leave(communicator, raw, agree::FallbackReason::early);
  }
  if (strict_forbids(communicator->agreed, decision)) {
    error = refuse(communicator->agreed, call, decision);
    return true;
  }
  const bool may_go = call.user_op && !communicator->transport.holds_operators;
  if (decision.is_native() || may_go) return leave(communicator, raw, agree::FallbackReason::program_operator);
  const observe::CountedCall counted(communicator->agreed, communicator->transport.channel.has_value(), call, decision);
  abi::Request request = abi::Request::null;
  error = communicator->in_flight.begin(raw, call, *planned.plan, request);
  if (error != abi::success) raise(communicator->agreed, call, error);
  abi::put_request(request, request_place);
  return true;
}

}  // namespace mpigraft::entry
