// SPDX-License-Identifier: MIT
#include "shim/operation/decision.hpp"

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft {
namespace {

/// The forced choice, else the table's.
Decision named(const Agreement& agreed, const Call& call) {
  if (const auto& forced = agreed.force[static_cast<std::size_t>(call.collective)])
    return {.choice = *forced, .why = Why::forced};
  const Query query{.collective = call.collective,
                    .ranks = agreed.size,
                    .bytes = call.bytes,
                    .nodes = agreed.node_count,
                    .ranks_per_node = agreed.ranks_per_node,
                    .commutative = call.commutative,
                    .user = call.user_op};
  const Table& table = agreed.table->table;
  if (const Rule* rule = find_rule(table, query)) return {.choice = rule->choice, .why = Why::rule, .line = rule->line};
  Query predefined = query;
  predefined.user = false;
  return {.why = find_rule(table, predefined) ? Why::whole : Why::no_rule};
}

std::string text_of(const Decision& decision) {
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
      return words_of(decision.refusal);
  }
  return {};
}

/// Why this communicator is no place for the algorithm; empty: it is.
std::string_view unfit_here(const AlgorithmInfo& info, const Agreement& agreed, const Traffic& traffic,
                            const Call& call) {
  const auto because = unfit(info.placement, agreed.size, agreed.nodes);
  if (info.placement != Placement::one || !because.empty()) return because;
  if (!traffic.pages) return "the ranks share no memory";
  const bool stream = !call.info().combines();
  return stream || call.datatype.size <= page_bytes ? std::string_view{} : "an element is longer than a page";
}

/// What keeps a call native before any table is asked; `Why::rule`: nothing.
Decision decide_early(const Agreement& agreed, Refusal refusal, Call& call) {
  if (agreed.size == 1) return {.why = Why::one_rank};
  const Decision refused{.why = Why::refused, .refusal = refusal};
  if (refusal == Refusal::intercommunicator) return refused;
  if (!inspect(call, agreed.rank, agreed.size)) return {.why = Why::arguments};
  if (call.bytes == 0) return {.why = Why::no_bytes};
  return refusal == Refusal::none ? Decision{.why = Why::rule} : refused;
}

}  // namespace

Decision decide_native(const Agreement& agreed, Call& call) { return decide_early(agreed, agreed.refusal, call); }

Decision decide(const Agreement& agreed, Traffic& traffic, Call& call) {
  const Decision early = decide_early(agreed, traffic.impossible ? Refusal::context : agreed.refusal, call);
  if (early.why != Why::rule) return early;
  if (agreed.float_native && call.info().combines() && is_floating(call.type)) return {.why = Why::floating};
  Decision decision = named(agreed, call);
  if (decision.choice.algorithm == native) return decision;
  const AlgorithmInfo& info = *listed[static_cast<std::size_t>(decision.choice.algorithm)].info;
  if (info.commutative && !call.commutative) return {.why = Why::commutative, .line = decision.line};
  if (!traffic.ensure(agreed)) return {.why = Why::refused, .refusal = Refusal::context};
  decision.flat_because = unfit_here(info, agreed, traffic, call);
  if (!decision.flat_because.empty()) {
    decision.flat_of = decision.choice.algorithm;
    decision.choice.algorithm = flat_form(decision.flat_of);
  }
  return decision;
}

std::string explain(const Decision& decision) {
  const std::string text = text_of(decision);
  return decision.flat_of == native ? text : text + flat_words(decision.flat_of, decision.flat_because);
}

}  // namespace mpigraft
