// SPDX-License-Identifier: MIT
#include "shim/operation/decision.hpp"

namespace mpigraft {
namespace {

Policy policy_of(const Agreement& agreed, Refusal refusal, Collective collective) {
  const auto& forced = agreed.force[static_cast<std::size_t>(collective)];
  return {refusal != Refusal::none, agreed.float_native, agreed.fixed_order, forced ? &*forced : nullptr};
}

Query query_of(const Agreement& agreed, const Call& call) {
  return {.collective = call.collective,
          .ranks = agreed.size,
          .bytes = call.bytes,
          .nodes = agreed.node_count,
          .ranks_per_node = agreed.ranks_per_node,
          .commutative = call.commutative,
          .user = call.user_op,
          .floating = agreed.float_native && call.bytes > 0 && is_floating(call.type)};  // bytes: of a valid type
}

std::span<const Rule> rules_of(const Agreement& agreed) {
  return agreed.table ? agreed.table->table.rules : std::span<const Rule>{};
}

std::string text_of(const Decision& decision) {
  switch (decision.why) {
    case Why::rule:
      return "rule at line " + std::to_string(decision.line) + " of the table";
    case Why::order:
      return std::string("MPIGRAFT_REPRODUCIBLE=order") +
             (decision.choice.algorithm == native ? ": no algorithm has a fixed order" : "");
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
      return words_of(decision.refusal);
  }
  return {};
}

/// The decision but for the place; fills the facts of the call and the query.
Decision named(const Agreement& agreed, Refusal refusal, Call& call, Query& query) {
  if (agreed.size > 1) {  // one rank's call is MPI's, whatever its arguments
    if (refusal == Refusal::intercommunicator) return {{.why = Why::refused}, refusal};
    if (!inspect(call, agreed.rank, agreed.size)) return {{.why = Why::arguments}};
  }
  query = query_of(agreed, call);
  const auto rules = rules_of(agreed);
  const Selection made = mpigraft::named(policy_of(agreed, refusal, call.collective), rules, query);
  return {made, refusal, made.rule < 0 ? 0 : rules[static_cast<std::size_t>(made.rule)].line};
}

}  // namespace

Decision decide_native(const Agreement& agreed, Call& call) {
  Query query;
  return named(agreed, agreed.refusal, call, query);
}

Decision decide(const Agreement& agreed, Traffic& traffic, Call& call) {
  Query query;
  const Decision decision = named(agreed, traffic.impossible ? Refusal::context : agreed.refusal, call, query);
  if (decision.choice.algorithm == native) return decision;
  if (!traffic.ensure(agreed)) return {{.why = Why::refused}, Refusal::context};
  const Place place{.nodes = agreed.nodes, .shares = traffic.pages.has_value(), .element = call.datatype.size};
  return {placed(decision, query, place), Refusal::none, decision.line};
}

std::string explain(const Decision& decision) {
  const std::string text = text_of(decision);
  return decision.flat_of == native ? text : text + flat_words(decision.flat_of, decision.flat_because);
}

}  // namespace mpigraft
