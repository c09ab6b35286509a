// SPDX-License-Identifier: MIT
#include "config/learning/candidates.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft::learning {
namespace {

constexpr double hopeless = 4;  // times the best one's seconds
constexpr double never = std::numeric_limits<double>::infinity();

/// The algorithm that stands for all that associate alike.
int alike(int algorithm) {
  const AlgorithmInfo& info = info_of(algorithm);
  return info.associates_like.empty() ? algorithm : find_algorithm(info.collective, info.associates_like);
}

bool may_run(const AlgorithmInfo& info, int index, const table::Query& query, const table::Place& place,
             std::int64_t bytes_end) {
  if (info.collective != query.collective) return false;
  const CollectiveInfo& collective = info_of(query.collective);
  if (info.commutative && collective.combines() && !query.commutative) return false;
  const table::Choice choice{.algorithm = index};
  if (query.user && collective.combines_whole_vectors() && table::whole_up_to(choice) < bytes_end - 1) return false;
  return table::placed({.choice = choice}, query, place).flat_of == table::native;
}

/// A call's theorem, which counts elements of `element` bytes.
struct Cost {
  Theorem theorem;
  std::int64_t element = 1;

  double seconds(const Machine& machine) const {
    const auto moved = static_cast<double>(std::max(theorem.sent, theorem.received) * element);
    const auto combined = static_cast<double>(theorem.applications * element);
    return theorem.rounds * machine.latency + moved * machine.per_byte + combined * machine.combine_per_byte;
  }
};

Cost cost_of(const AlgorithmInfo& info, const table::Query& query, const table::Place& place, const Machine& machine) {
  const std::int64_t element = info_of(query.collective).combines() ? std::max<std::int64_t>(place.element, 1) : 1;
  const Params params{.element_bytes = element,
                      .machine = machine,
                      .nodes = groups_of(info.placement, place.nodes, place.cache_groups)};
  return {info.theorem(static_cast<int>(query.ranks), query.bytes / element, params), element};
}

/// True if an algorithm found before sends the same messages, as many do for few ranks.
bool is_like_any(int index, const Candidates& found, const table::Query& query, const table::Place& place,
                 const Machine& machine) {
  const AlgorithmInfo& info = info_of(index);
  const Theorem theorem = cost_of(info, query, place, machine).theorem;
  return std::any_of(found.choices.begin(), found.choices.begin() + found.count, [&](const table::Choice& other) {
    return other.algorithm != table::native && info_of(other.algorithm).placement == info.placement &&
           cost_of(info_of(other.algorithm), query, place, machine).theorem == theorem;
  });
}

}  // namespace

bool associate_alike(const table::Choice& a, const table::Choice& b, std::int64_t ranks) {
  if (ranks <= 2 || a == b) return true;
  const bool grafted = a.algorithm != table::native && b.algorithm != table::native;
  return grafted && a.algorithm != b.algorithm && alike(a.algorithm) == alike(b.algorithm);
}

void Candidates::add(const table::Choice& choice) {
  const auto end = choices.begin() + count;
  const bool known =
      std::any_of(choices.begin(), end, [&](const table::Choice& c) { return c.algorithm == choice.algorithm; });
  if (!known && count < most_candidates) choices[static_cast<std::size_t>(count++)] = choice;
}

Candidates candidates_for(const table::Query& query, const table::Place& place, const table::Choice& by_table,
                          const Machine& machine, Order order) {
  const auto may_follow = [&](const table::Choice& choice) {
    return order == Order::any || (order == Order::kept && associate_alike(by_table, choice, query.ranks));
  };
  const auto bytes_end = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(query.bytes) + 1));
  std::array<double, listed.size()> price;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto index = static_cast<int>(i);
    const bool may = may_run(*listed[i].info, index, query, place, bytes_end) && may_follow({.algorithm = index});
    price[i] = may ? cost_of(*listed[i].info, query, place, machine).seconds(machine) : never;
  }
  Candidates found;
  found.add(by_table);
  if (may_follow({.algorithm = table::native})) found.add({.algorithm = table::native});
  const double worst = hopeless * *std::ranges::min_element(price);
  while (found.count < most_candidates) {
    const auto best = std::ranges::min_element(price);
    if (*best == never || *best > worst) break;
    *best = never;
    const auto index = static_cast<int>(best - price.begin());
    if (!is_like_any(index, found, query, place, machine)) found.add({.algorithm = index});
  }
  return found;
}

}  // namespace mpigraft::learning
