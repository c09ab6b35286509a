// SPDX-License-Identifier: MIT
#include "shim/agree/decision.hpp"

#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/shadow_comm.hpp"

namespace mpigraft {
namespace {

Policy policy_of(const ShadowComm& shadow, Collective collective) {
  const auto& forced = shadow.force[static_cast<std::size_t>(collective)];
  return {shadow.refusal != Refusal::none, shadow.float_native, forced ? &*forced : nullptr};
}

Query query_of(const ShadowComm& shadow, const Call& call) {
  return {.collective = call.collective,
          .ranks = shadow.size,
          .bytes = call.bytes,
          .nodes = shadow.node_count,
          .ranks_per_node = shadow.ranks_per_node,
          .commutative = call.commutative,
          .user = call.user_op,
          .floating = shadow.float_native && call.bytes > 0 && is_floating(call.type)};  // bytes: of a valid type
}

std::span<const Rule> rules_of(const ShadowComm& shadow) {
  return shadow.table ? shadow.table->table.rules : std::span<const Rule>{};
}

std::string text_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      break;
    case Refusal::disabled:
      return "MPIGRAFT_DISABLE";
    case Refusal::intercommunicator:
      return "intercommunicator";
    case Refusal::other_world:
      return "a process of another MPI_COMM_WORLD";
    case Refusal::settings:
      return "a defect in an MPIGRAFT_* variable";
    case Refusal::table:
      return "the table is unusable";
    case Refusal::differs:
      return "settings differ between ranks";
    case Refusal::memory:
      return "a rank was out of memory";
    case Refusal::many:
      return std::to_string(max_private_communicators) + " private communicators are in use";
    case Refusal::young:
      return "first calls of a communicator";
    case Refusal::context:
      return "MPI has no context id left for a private communicator";
  }
  return {};
}

std::string text_of(const ShadowComm& shadow, const Decision& decision) {
  switch (decision.why) {
    case Why::rule:
      return "rule at line " + std::to_string(rules_of(shadow)[static_cast<std::size_t>(decision.rule)].line) +
             " of the table";
    case Why::forced:
      return "MPIGRAFT_FORCE";
    case Why::no_rule:
      return "no rule matches";
    case Why::whole:
      return "a user operator gets whole vectors";
    case Why::one_rank:
      return "one rank";
    case Why::no_bytes:
      return "zero bytes";
    case Why::arguments:
      return "arguments that MPI rejects";
    case Why::floating:
      return "MPIGRAFT_FLOAT=native";
    case Why::commutative:
      return "needs a commutative operator";
    case Why::refused:
      return text_of(shadow.refusal);
  }
  return {};
}

Decision decide_anew(ShadowComm& shadow, Call& call) {
  if (shadow.size > 1) {  // one rank's call is MPI's, whatever its arguments
    if (shadow.refusal == Refusal::intercommunicator) return {.why = Why::refused};
    if (!inspect(call, shadow)) return {.why = Why::arguments};
  }
  const Query query = query_of(shadow, call);
  const Decision decision = named(policy_of(shadow, call.collective), rules_of(shadow), query);
  if (decision.choice.algorithm == native) return decision;
  if (!ensure_traffic(shadow)) return {.why = Why::refused};
  return placed(decision, query,
                {.nodes = shadow.nodes, .shares = shadow.pages.has_value(), .element = call.datatype.size});
}

}  // namespace

const Decision* LastCalls::find(Call& call) const {
  const auto& last = last_[static_cast<std::size_t>(call.collective)];
  if (!last || !last->call.is_like(call)) return nullptr;
  call.datatype = last->call.datatype;
  call.bytes = last->call.bytes;
  call.commutative = last->call.commutative;
  call.kernel = last->call.kernel;
  return &last->decision;
}

void LastCalls::keep(const Call& call, const Decision& decision) {
  if (decision.why == Why::arguments || !call.is_predefined()) return;
  last_[static_cast<std::size_t>(call.collective)] = Last{call, decision};
}

Decision decide(ShadowComm& shadow, Call& call) {
  if (const Decision* last = shadow.last_calls.find(call))
    return good_buffers(call, shadow.rank) ? *last : Decision{.why = Why::arguments};
  const Decision decision = decide_anew(shadow, call);
  shadow.last_calls.keep(call, decision);
  return decision;
}

void tell_refusal(Refusal refusal) {
  if (settings().verbose > 0)
    without_memory_silent([&] { log_once(text_of(refusal) + ": further communicators stay native"); });
}

std::string explain(const ShadowComm& shadow, const Decision& decision) {
  const std::string text = text_of(shadow, decision);
  return decision.flat_of == native ? text : text + flat_words(decision.flat_of, decision.flat_because);
}

}  // namespace mpigraft
