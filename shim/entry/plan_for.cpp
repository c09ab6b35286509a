// SPDX-License-Identifier: MIT
// Decides about calls: by the settings, the table and the learner, once for each kind of call.
#include "shim/entry/plan_for.hpp"

#include <algorithm>

#include "shim/observe/report.hpp"

namespace mpigraft::entry {

void forget_calls(Communicator& communicator) {
  communicator.known_calls.forget_all();
  ++generation;
}

void forget_if_impossible(Communicator& communicator) {
  if (communicator.has_forgotten || communicator.transport.impossible == agree::FallbackReason::none) return;
  communicator.has_forgotten = true;
  forget_calls(communicator);
}

namespace {

constinit const execute::Plan wrong_arguments(execute::Decision({.reason = table::Reason::arguments}));

/// Finds the trial for calls like this one. If it is over, its winner takes the place of the table's decision.
[[gnu::noinline, gnu::cold]] void learn_of(Communicator& communicator, KnownCall& known, const abi::Call& call,
                                           bool blocks) {
  learning::Entry* const entry =
      communicator.learner->trial_for(communicator.agreed, communicator.transport, call, known.plan.decision, blocks);
  if (!entry) return;
  if (!entry->trial.over())
    known.trial = entry;
  else if (const int winner = entry->trial.winner(); winner != 0)
    known.plan.decision = execute::Decision({.choice = entry->choice(winner), .reason = table::Reason::learned});
}

/// True if what is known of the call will hold as long as its handles mean the same, and we learn when they do not.
bool may_keep(Communicator& communicator, KnownCall& known, const abi::Call& call) {
  known.handles_freed.reset();
  if (call.is_predefined()) return true;
  if (call.user_op && !communicator.transport.holds_operators) return false;
  known.handles_freed = abi::handles_freed;
  if (!communicator.known_calls.handles_last(*known.handles_freed)) return false;
  const auto counts = [](abi::Type type) { return abi::is_builtin(type) || abi::counts_end_of(type); };
  return counts(call.type) && (!call.sends_typed() || counts(call.send_type()));
}

/// The kind of a call of which something has become known: that of all lengths for which the same holds. REQUIRES:
/// `known` has the kind of its length. `is_named`: settings and rules have decided alone.
abi::CallKind kind_of_all_lengths(const Communicator& communicator, const KnownCall& known, const abi::Call& call,
                                  bool is_named) {
  abi::CallKind kind = known.kind;
  if (!is_named || communicator.learner || kind.count <= 0 || call.bytes <= 0) return kind;
  table::Range bytes = execute::alike(communicator.agreed, call);
  if (!known.plan.decision.is_native()) {
    const table::Range lengths = known.plan.lengths(communicator.transport);
    bytes = {std::max(bytes.min, lengths.min), std::min(bytes.max, lengths.max)};
  }
  const std::int64_t of_each = call.bytes / kind.count;
  kind.widen((bytes.min + of_each - 1) / of_each, bytes.max / of_each);
  return kind;
}

/// Makes the private communicator if MPI carries messages of calls by the plan and this call blocks. If it cannot be
/// made now or ever, the plan becomes native, on all ranks.
void ensure_comm_for(execute::Plan& plan, Communicator& communicator, bool blocks) {
  const agree::Negotiated& agreed = communicator.agreed;
  execute::TransportState& transport = communicator.transport;
  if ((plan.stays_in_memory && agreed.verify == 0) || transport.comm != abi::Comm::null) return;
  const auto outcome = blocks ? transport.ensure_comm(agreed) : execute::TransportState::Outcome::later;
  if (outcome == execute::TransportState::Outcome::made) return;
  const bool is_for_now = outcome == execute::TransportState::Outcome::later;
  plan.decision = {{.reason = table::Reason::refused},
                   is_for_now ? agree::FallbackReason::later : transport.impossible};
}

}  // namespace

void plan_anew(LastCall& last, PlannedCall& planned, bool blocks) {
  Communicator& communicator = *last.communicator;
  const agree::Negotiated& agreed = communicator.agreed;
  execute::TransportState& transport = communicator.transport;
  abi::Call& call = planned.call;
  KnownCall& known = communicator.known_calls.latest;
  execute::Plan& plan = known.plan = execute::Plan(execute::decide(agreed, transport, call));
  const bool is_named_native = plan.decision.is_native();
  planned.known = &known, planned.plan = &plan;
  known.trial = nullptr;
  if (communicator.learner) [[unlikely]]
    learn_of(communicator, known, call, blocks);
  if (!plan.decision.is_native()) {
    plan = execute::Plan(agreed, transport, call, plan.decision);
    ensure_comm_for(plan, communicator, blocks);
  }
  forget_if_impossible(communicator);
  // Not kept: wrong arguments and want of memory, which only this rank may have. Nor is what a nonblocking call could
  // not learn: the next blocking one begins a trial, on all ranks.
  const execute::Decision& decision = plan.decision;
  const bool is_for_now = decision.reason == table::Reason::arguments ||
                          decision.fallback == agree::FallbackReason::later || (communicator.learner && !blocks) ||
                          (!decision.is_native() && plan.is_starved());
  if (is_for_now || !may_keep(communicator, known, call)) return;
  known.collective = call.collective, known.kind = {call, agreed.size}, known.facts = call, known.length = call.count;
  const bool is_named = decision.is_native() == is_named_native;
  const abi::CallKind kind = kind_of_all_lengths(communicator, known, call, is_named);
  if (!kind.by_counts) known.kind = kind;
  last.known = communicator.known_calls.keep(call);
  if (decision.is_native() && !known.handles_freed && !known.trial && !strict_forbids(agreed, decision) &&
      !observe::asks_for_report())
    remember_native(call, kind);
}

const execute::Plan* decide_again(const agree::Negotiated& agreed, const KnownCall& known, const abi::Call& call) {
  return abi::good_buffers(call, agreed.rank, agreed.size) ? &known.plan : &wrong_arguments;
}

}  // namespace mpigraft::entry
