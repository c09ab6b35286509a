// SPDX-License-Identifier: MIT
// Decides about calls: by the settings, the table and the learner, once for each kind of call.
#include "shim/entry/plan_for.hpp"

#include "shim/observe/report.hpp"

namespace mpigraft::entry {

void forget_calls(Communicator& communicator) {
  communicator.known_calls.forget_all();
  ++generation;
}

namespace {

/// Finds the trial for calls like this one. If it is over, its winner takes the place of the table's decision.
[[gnu::noinline, gnu::cold]] void learn_of(Communicator& communicator, KnownCall& known, const abi::Call& call) {
  learning::Entry* const entry =
      communicator.learner->trial_for(communicator.agreed, communicator.transport, call, known.decision);
  if (!entry) return;
  if (!entry->trial.over())
    known.trial = entry;
  else if (const int winner = entry->trial.winner(); winner != 0)
    known.decision = execute::Decision({.choice = entry->choice(winner), .reason = table::Reason::learned});
}

/// Makes the private communicator if MPI carries messages of calls by the plan and this call blocks. Returns false if
/// it cannot be made now or ever; then `decision` is native. Equal on all ranks.
bool has_comm_for(const execute::Plan& plan, Communicator& communicator, execute::Decision& decision, bool blocks) {
  const agree::Negotiated& agreed = communicator.agreed;
  execute::TransportState& transport = communicator.transport;
  if ((plan.stays_in_memory && agreed.verify == 0) || transport.comm != abi::Comm::null) return true;
  const auto outcome = blocks ? transport.ensure_comm(agreed) : execute::TransportState::Outcome::later;
  if (outcome == execute::TransportState::Outcome::made) return true;
  const bool is_for_now = outcome == execute::TransportState::Outcome::later;
  decision = {{.reason = table::Reason::refused}, is_for_now ? agree::FallbackReason::later : transport.impossible};
  return false;
}

}  // namespace

void plan_anew(LastCall& last, const abi::RawCall& raw, PlannedCall& planned, bool blocks) {
  Communicator& communicator = *last.communicator;
  const agree::Negotiated& agreed = communicator.agreed;
  execute::TransportState& transport = communicator.transport;
  const bool could = transport.impossible == agree::FallbackReason::none;
  abi::Call& call = planned.call;
  KnownCall& known = communicator.known_calls.latest;
  execute::Decision& decision = known.decision = execute::decide(agreed, transport, call);
  planned.known = &known, planned.decision = &decision;
  known.trial = nullptr;
  if (communicator.learner) [[unlikely]]
    learn_of(communicator, known, call);
  bool is_native = decision.choice.algorithm == table::native;
  if (!is_native) {
    known.plan = execute::Plan(agreed, transport, call, decision.choice);
    is_native = !has_comm_for(known.plan, communicator, decision, blocks);
  }
  if (could && transport.impossible != agree::FallbackReason::none) forget_calls(communicator);
  // Not kept: wrong arguments and want of memory, which only this rank may have, and handles of the program, which MPI
  // reuses.
  const bool is_for_now = decision.reason == table::Reason::arguments ||
                          decision.fallback == agree::FallbackReason::later || (!is_native && known.plan.is_starved());
  if (is_for_now || !call.is_predefined()) return;
  known.collective = call.collective, known.kind = {raw, agreed.size}, known.facts = call;
  last.known = communicator.known_calls.keep();
  if (is_native && !known.trial && !strict_forbids(agreed, decision) && !observe::asks_for_report())
    remember_native(raw, agreed.size);
}

const execute::Decision* decide_again(const agree::Negotiated& agreed, const KnownCall& known, const abi::Call& call) {
  static constexpr execute::Decision wrong_arguments({.reason = table::Reason::arguments});
  return abi::good_buffers(call, agreed.rank, agreed.size) ? &known.decision : &wrong_arguments;
}

}  // namespace mpigraft::entry
