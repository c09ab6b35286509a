// SPDX-License-Identifier: MIT
#include "shim/execute/decision.hpp"

namespace mpigraft::execute {

using table::Reason;

namespace {

std::span<const table::Rule> rules_of(const agree::Negotiated& agreed) {
  return agreed.table ? agreed.table->table.rules : std::span<const table::Rule>{};
}

table::Policy policy_of(const agree::Negotiated& agreed, agree::FallbackReason reason, const abi::Call& call) {
  return {reason != agree::FallbackReason::none, agreed.float_native, agreed.fixed_order,
          agreed.force[static_cast<std::size_t>(call.collective)]};
}

/// Decides without a look at the nodes. Fills in the call's facts.
Decision named(const agree::Negotiated& agreed, agree::FallbackReason reason, abi::Call& call) {
  if (reason == agree::FallbackReason::intercommunicator) return {{.reason = Reason::refused}, reason};
  const bool is_sound = abi::inspect(call, agreed.rank, agreed.size);
  // A single rank's call is native, whatever its arguments.
  if (!is_sound && agreed.size > 1) return {{.reason = Reason::arguments}};
  const auto rules = rules_of(agreed);
  const table::Selection made = table::named(policy_of(agreed, reason, call), rules, query_of(agreed, call));
  const bool is_refused = made.reason == Reason::refused;
  return {made, is_refused ? reason : agree::FallbackReason::none,
          made.rule < 0 ? 0 : rules[static_cast<std::size_t>(made.rule)].line};
}

}  // namespace

table::Query query_of(const agree::Negotiated& agreed, const abi::Call& call) {
  return {.collective = call.collective,
          .ranks = agreed.size,
          .bytes = call.bytes,
          .nodes = agreed.node_count,
          .ranks_per_node = agreed.ranks_per_node,
          .oversubscribed = agreed.oversubscribed,
          .commutative = call.commutative,
          .user = call.user_op,
          .floating = agreed.float_native && call.bytes > 0 && abi::is_floating(call.type)};  // bytes > 0: a valid type
}

table::VariantSelection variant_for(const agree::Negotiated& agreed, Composition composition, std::int64_t bytes) {
  const table::Query query{.ranks = agreed.size,
                           .bytes = bytes,
                           .nodes = agreed.node_count,
                           .ranks_per_node = agreed.ranks_per_node,
                           .oversubscribed = agreed.oversubscribed};
  const auto& forced = agreed.force_variant[static_cast<std::size_t>(composition)];
  return table::variant_for(composition, forced, agreed.table->table, query);
}

table::Place place_of(const agree::Negotiated& agreed, const TransportState& transport, const abi::Call& call) {
  return {.nodes = agreed.nodes,
          .cache_groups = agreed.cache_groups,
          .shares = transport.pages.has_value(),
          .element = call.datatype.size};
}

Decision decide_native(const agree::Negotiated& agreed, abi::Call& call) {
  return named(agreed, agreed.fallback, call);
}

Decision decide(const agree::Negotiated& agreed, TransportState& transport, abi::Call& call) {
  const bool possible = transport.impossible == agree::FallbackReason::none;
  const Decision decision = named(agreed, possible ? agreed.fallback : transport.impossible, call);
  if (decision.is_native()) return decision;
  if (!transport.ensure(agreed)) return {{.reason = Reason::refused}, transport.impossible};
  const table::Place place = place_of(agreed, transport, call);
  return {table::placed(decision, query_of(agreed, call), place), agree::FallbackReason::none, decision.line};
}

table::Range alike(const agree::Negotiated& agreed, const abi::Call& call) {
  return table::alike(policy_of(agreed, agreed.fallback, call), rules_of(agreed), query_of(agreed, call));
}

std::string explain(const Decision& decision) {
  std::string text = decision.reason == Reason::rule ? "rule at line " + std::to_string(decision.line) + " of the table"
                     : decision.reason == Reason::refused ? agree::words_of(decision.fallback)
                                                          : std::string(table::words_of(decision));
  if (decision.flat_of != table::native) text += table::flat_words(decision.flat_of, decision.flat_because);
  return text;
}

}  // namespace mpigraft::execute
