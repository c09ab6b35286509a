// SPDX-License-Identifier: MIT
#include "shim/agree/decision.hpp"

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/shadow_comm.hpp"

namespace mpigraft {
namespace {

/// The forced choice, else the table's.
Decision named(const ShadowComm& shadow, const Call& call) {
  if (const auto& forced = shadow.force[static_cast<std::size_t>(call.collective)])
    return {.choice = *forced, .why = Why::forced};
  const Query query{.collective = call.collective,
                    .ranks = shadow.size,
                    .bytes = call.bytes,
                    .nodes = shadow.node_count,
                    .ranks_per_node = shadow.ranks_per_node,
                    .commutative = call.commutative,
                    .user = call.user_op};
  const Table& table = shadow.table->table;
  if (const Rule* rule = find_rule(table, query)) return {.choice = rule->choice, .why = Why::rule, .line = rule->line};
  Query predefined = query;
  predefined.user = false;
  return {.why = find_rule(table, predefined) ? Why::whole : Why::no_rule};
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
      return "rule at line " + std::to_string(decision.line) + " of the table";
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

/// Why this communicator is no place for the algorithm; empty: it is.
std::string_view unfit_here(const AlgorithmInfo& info, const ShadowComm& shadow, const Call& call) {
  const auto because = unfit(info.placement, shadow.size, shadow.nodes);
  if (info.placement != Placement::one || !because.empty()) return because;
  if (!shadow.pages) return "the ranks share no memory";
  const bool stream = info.collective == Collective::bcast;
  return stream || call.datatype.size <= page_bytes ? std::string_view{} : "an element is longer than a page";
}

Decision decide_anew(ShadowComm& shadow, Call& call) {
  if (shadow.size == 1) return {.why = Why::one_rank};
  if (shadow.refusal == Refusal::intercommunicator) return {.why = Why::refused};
  if (!inspect(call, shadow)) return {.why = Why::arguments};
  if (call.bytes == 0) return {.why = Why::no_bytes};
  if (shadow.refusal != Refusal::none) return {.why = Why::refused};
  if (shadow.float_native && call.collective != Collective::bcast && is_floating(call.type))
    return {.why = Why::floating};
  Decision decision = named(shadow, call);
  if (decision.choice.algorithm == native) return decision;
  const AlgorithmInfo& info = *listed[static_cast<std::size_t>(decision.choice.algorithm)].info;
  if (info.commutative && !call.commutative) return {.why = Why::commutative, .line = decision.line};
  if (!ensure_traffic(shadow)) return {.why = Why::refused};
  decision.flat_because = unfit_here(info, shadow, call);
  if (!decision.flat_because.empty()) {
    decision.flat_of = decision.choice.algorithm;
    decision.choice.algorithm = flat_form(decision.flat_of);
  }
  return decision;
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
