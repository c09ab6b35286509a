// SPDX-License-Identifier: MIT
#include "shim/entry/nonblocking.hpp"

#include "shim/entry/communicator.hpp"
#include "shim/entry/plan_for.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

/// The reason why the call stays native whatever the table says; equal on all ranks. A persistent one may still make
/// the transport state.
agree::FallbackReason reason_of(const Communicator* communicator, bool persistent) {
  if (communicator && persistent) return agree::FallbackReason::none;
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

void count_native(const agree::Negotiated& agreed, const abi::RawCall& raw, agree::FallbackReason reason) {
  abi::Call call(raw);
  execute::Decision decision = execute::decide_native(agreed, call);
  if (!decision.is_native()) decision = {{.reason = table::Reason::refused}, reason};
  const observe::CountedCall counted(agreed, nullptr, false, call, decision);
}

/// The state of the call's communicator, which a call that `sets_up` may make; null if it has none.
Communicator* communicator_for(LastCall& last, const abi::RawCall& raw, bool sets_up, abi::Refused& refused) {
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  if (last.knows(raw, now) && (last.communicator || !sets_up)) return last.communicator;  // null while it warms up
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  const Attribute known = sets_up ? attribute_for_call(raw, true) : attribute_of(comm);
  refused = known.refused;
  if (known.communicator) last.remember(raw, now, *known.communicator);
  return known.communicator;
}

std::optional<int> begin_nonblocking(Communicator& communicator, const PlannedCall& planned, void* request_place) {
  const abi::Call& call = planned.call;
  const execute::TransportState& transport = communicator.transport;
  if (call.user_op && !transport.holds_operators)
    return leave(&communicator, call, agree::FallbackReason::program_operator);
  const observe::CountedCall counted(communicator.agreed, nullptr, transport.channel.has_value(), call,
                                     planned.plan->decision);
  abi::Request request = abi::Request::null;
  const int error = communicator.in_flight.begin(call, *planned.plan, request);
  if (error != abi::success) raise(communicator.agreed, call, error);
  abi::put_request(request, request_place);
  return error;
}

}  // namespace

std::nullopt_t leave(const Communicator* communicator, const abi::RawCall& raw, agree::FallbackReason reason) {
  if (!observe::asks_for_report()) return std::nullopt;
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  if (communicator) {
    count_native(communicator->agreed, raw, reason);
  } else if (abi::is_communicator(comm) && abi::is_up()) {
    const agree::Negotiated passing(comm, reason);
    count_native(passing, raw, passing.fallback);
  }
  return std::nullopt;
}

std::optional<int> graft_starting(const abi::RawCall& raw, void* request_place, bool persistent) {
  if (!request_place) return {};  // MPI reports this error
  InFlight::bury();
  LastCall& last = last_call_of(raw);
  abi::Refused refused;
  Communicator* const communicator = communicator_for(last, raw, persistent, refused);
  if (refused) return refused;
  const agree::FallbackReason reason = reason_of(communicator, persistent);
  if (reason == agree::FallbackReason::early && communicator) want_transport(*communicator, raw);
  if (reason != agree::FallbackReason::none) return leave(communicator, raw, reason);
  if (stays_native(raw)) return {};
  const PlannedCall planned = plan_for(last, raw, persistent);
  const execute::Decision& decision = planned.plan->decision;
  if (decision.fallback == agree::FallbackReason::later && !persistent) {
    want_transport(*communicator, raw);
    return leave(communicator, raw, agree::FallbackReason::early);
  }
  if (strict_forbids(communicator->agreed, decision)) return refuse(communicator->agreed, planned.call, decision);
  if (decision.is_native()) return leave(communicator, raw, decision.fallback);
  return persistent ? make_persistent(*communicator, planned, request_place)
                    : begin_nonblocking(*communicator, planned, request_place);
}

}  // namespace mpigraft::entry
