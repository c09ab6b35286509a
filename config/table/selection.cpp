// SPDX-License-Identifier: MIT
#include "config/table/selection.hpp"

#include <algorithm>
#include <array>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::table {

namespace {

/// In the order of Reason. The reason for a refusal is known elsewhere.
constexpr std::array<std::string_view, 14> reason_words{"arguments that MPI rejects",
                                                        "one rank",
                                                        "zero bytes",
                                                        "",
                                                        "parts of more than 1 GiB in all",
                                                        "MPIGRAFT_REPRODUCIBLE=native",
                                                        "MPIGRAFT_REPRODUCIBLE=order",
                                                        "MPIGRAFT_FORCE",
                                                        "the first rule that matches",
                                                        "a user operator gets whole vectors",
                                                        "no rule matches",
                                                        "needs a commutative operator",
                                                        "tried by MPIGRAFT_LEARN",
                                                        "learned in this job"};
static_assert(reason_words.size() == static_cast<std::size_t>(Reason::learned) + 1);

Selection by_rules(std::span<const Rule> rules, const Query& query) {
  if (const Rule* rule = find_rule(rules, query))
    return {.choice = rule->choice, .reason = Reason::rule, .rule = static_cast<int>(rule - rules.data())};
  Query predefined = query;
  predefined.user = false;
  return {.reason = find_rule(rules, predefined) ? Reason::whole : Reason::no_rule};
}

/// What MPIGRAFT_FORCE says for this call, or else the rules.
Selection chosen(const Policy& policy, std::span<const Rule> rules, const Query& query) {
  const auto fits = [&](const Forced& forced) { return forced.bytes.contains(query.bytes); };
  const auto forced = std::ranges::find_if(policy.forced, fits);
  return forced == policy.forced.end() ? by_rules(rules, query)
                                       : Selection{.choice = forced->choice, .reason = Reason::forced};
}

/// The reason why the place does not fit the algorithm; empty if it does.
std::string_view unfit_at(const Place& place, const AlgorithmInfo& info, const Query& query) {
  const auto groups = groups_of(info.placement, place.nodes, place.cache_groups);
  const std::string_view because = unfit(info.placement, static_cast<int>(query.ranks), groups);
  if (info.placement != Placement::one || !because.empty()) return because;
  if (!place.shares) return "the ranks share no memory";
  const bool fits = !info_of(info.collective).combines() || place.element <= page_bytes;
  return fits ? std::string_view{} : "an element is longer than a page";
}

}  // namespace

std::string_view words_of(const Selection& selection) {
  if (selection.reason == Reason::order && selection.choice.algorithm == native)
    return "MPIGRAFT_REPRODUCIBLE=order: no algorithm has a fixed order";
  return reason_words[static_cast<std::size_t>(selection.reason)];
}

int algorithm_of_fixed_order(Collective collective) {
  const auto found = std::ranges::find_if(listed, [=](const Listed& entry) {
    const AlgorithmInfo& info = *entry.info;
    const bool whole = info.cuts == Cuts::never || !info_of(collective).combines_whole_vectors();
    return info.collective == collective && !info.commutative && whole && info.placement == Placement::any &&
           !info.varies_with_length && !info.varies_with_blocks;
  });
  return found == listed.end() ? native : static_cast<int>(found - listed.begin());
}

Policy policy_of(const Settings& settings, Collective collective) {
  return {settings.disable || !settings.enabled, settings.float_native, settings.fixed_order,
          settings.force[static_cast<std::size_t>(collective)]};
}

Selection named(const Policy& policy, std::span<const Rule> rules, const Query& query) {
  if (query.ranks == 1) return {.reason = Reason::one_rank};
  if (query.bytes == 0 && info_of(query.collective).moves_data()) return {.reason = Reason::no_bytes};
  if (policy.refused) return {.reason = Reason::refused};
  if (query.bytes > longest_in_parts && info_of(query.collective).has_parts()) return {.reason = Reason::long_parts};
  const bool combines = info_of(query.collective).combines();
  if (policy.float_native && combines && query.floating) return {.reason = Reason::floating};
  if (policy.fixed_order && combines)
    return {.choice = {.algorithm = algorithm_of_fixed_order(query.collective)}, .reason = Reason::order};
  const Selection found = chosen(policy, rules, query);
  if (found.choice.algorithm == native) return found;
  if (combines && needs_commutative(found.choice) && !query.commutative)
    return {.reason = Reason::commutative, .unfit = found.choice.algorithm};
  return found;
}

Range alike(const Policy& policy, std::span<const Rule> rules, const Query& query) {
  Range range{1, unlimited};
  const auto cut = [&](const Range& at) {  // keeps the side of each border that the call is on
    for (const std::int64_t first : {at.min, at.max == unlimited ? at.min : at.max + 1})
      if (query.bytes < first)
        range.max = std::min(range.max, first - 1);
      else
        range.min = std::max(range.min, first);
  };
  cut({1, longest_in_parts});
  for (const Forced& forced : policy.forced) cut(forced.bytes);
  for (const Rule& rule : rules)
    if (rule.is_for(query.collective)) cut(rule.bytes), cut(decided_bytes(rule, query.user));
  return range;
}

VariantSelection variant_for(Composition composition, const std::optional<Variant>& forced, const Table& table,
                             const Query& query) {
  if (forced) return {*forced, Reason::forced};
  for (const Rule& rule : table.rules)
    if (const Conditions& conditions = rule; rule.composition == composition && mismatch(conditions, query).empty())
      return {rule.variant, Reason::rule, rule.line};
  if (query.nodes == 1) return {Variant::apart};
  return {fastest_variant(composition, static_cast<int>(query.ranks), static_cast<double>(query.bytes), table.machine)};
}

Selection placed(Selection named, const Query& query, const Place& place) {
  if (named.choice.algorithm == native) return named;
  named.flat_because = unfit_at(place, info_of(named.choice.algorithm), query);
  if (named.flat_because.empty()) return named;
  named.flat_of = named.choice.algorithm;
  named.choice.algorithm = flat_form(named.flat_of);
  return named;
}

}  // namespace mpigraft::table
