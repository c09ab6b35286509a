// SPDX-License-Identifier: MIT
#include "config/learning/candidates.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/price.hpp"
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
  if (info.commutative && !query.commutative) return false;
  const table::Choice choice{.algorithm = index};
  if (query.user && collective.combines_whole_vectors() && table::whole_up_to(choice) < bytes_end - 1) return false;
  return table::placed({.choice = choice}, query, place).flat_of == table::native;
}

/// The ranks and nodes for which costs are counted: at most `most_ranks` ranks, on the first nodes.
struct Shape {
  int ranks;
  std::vector<int> nodes, cache_groups;
};

constexpr int most_ranks = 32, most_nodes = 8;

/// The first groups of p ranks, with as many ranks each as leaves room for all; `ranks` becomes their number.
std::vector<int> first_groups(int p, std::span<const int> groups, int& ranks) {
  const int n = std::min(static_cast<int>(groups.size()), most_nodes);
  std::vector<int> firsts;
  ranks = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    firsts.push_back(ranks);
    ranks += std::min((i + 1 < groups.size() ? groups[i + 1] : p) - groups[i], most_ranks / n);
  }
  return firsts;
}

Shape shape_of(const table::Query& query, const table::Place& place) {
  const int p = static_cast<int>(query.ranks);
  Shape shape{std::min(p, most_ranks),
              {place.nodes.begin(), place.nodes.end()},
              {place.cache_groups.begin(), place.cache_groups.end()}};
  if (p <= most_ranks) return shape;
  if (place.nodes.size() > 1) shape.nodes = first_groups(p, place.nodes, shape.ranks);
  if (place.cache_groups.size() > 1) shape.cache_groups = first_groups(p, place.cache_groups, shape.ranks);
  return shape;
}

constexpr std::int64_t most_bytes = 128 << 10;

/// What algorithms cost in calls like one. The costs of a long vector are counted for a shorter one, on a machine whose
/// latency is less by the same factor, so that pipelines have as many blocks.
class Costs {
 public:
  Costs(const table::Query& query, const table::Place& place, const Machine& machine)
      : shape_(shape_of(query, place)),
        machine_(machine),
        element_(info_of(query.collective).combines() ? std::max<std::int64_t>(place.element, 1) : 1),
        elements_(std::min(query.bytes, std::max(most_bytes, element_)) / element_) {
    if (query.bytes > most_bytes)
      machine_.latency *= static_cast<double>(elements_ * element_) / static_cast<double>(query.bytes);
  }

  const model::Cost& of(int algorithm) {
    std::optional<model::Cost>& known = known_[static_cast<std::size_t>(algorithm)];
    if (!known) known = count(info_of(algorithm));
    return *known;
  }
  double seconds(int algorithm) {
    const model::Cost& cost = of(algorithm);
    const auto moved = static_cast<double>(std::max(cost.sent, cost.received) * element_);
    const auto combined = static_cast<double>(cost.applications * element_);
    return cost.rounds * machine_.latency + moved * machine_.per_byte + combined * machine_.combine_per_byte;
  }

 private:
  model::Cost count(const AlgorithmInfo& info) {
    const Params params{.element_bytes = element_,
                        .machine = machine_,
                        .nodes = groups_of(info.placement, shape_.nodes, shape_.cache_groups)};
    memory_ = model::record(info, shape_.ranks, elements_, params, false, std::move(memory_));
    return model::cost_of(memory_);
  }

  const Shape shape_;
  Machine machine_;
  const std::int64_t element_, elements_;
  std::array<std::optional<model::Cost>, listed.size()> known_;
  model::Recording memory_;
};

/// True if an algorithm found before sends the same messages, as many do for few ranks.
bool is_like_any(int index, const Candidates& found, Costs& costs) {
  const AlgorithmInfo& info = info_of(index);
  return std::ranges::any_of(found.all(), [&](const table::Choice& other) {
    return other.algorithm != table::native && info_of(other.algorithm).placement == info.placement &&
           costs.of(other.algorithm) == costs.of(index);
  });
}

}  // namespace

bool associate_alike(const table::Choice& a, const table::Choice& b, std::int64_t ranks) {
  if (ranks <= 2 || a == b) return true;
  const bool grafted = a.algorithm != table::native && b.algorithm != table::native;
  return grafted && a.algorithm != b.algorithm && alike(a.algorithm) == alike(b.algorithm);
}

void Candidates::add(const table::Choice& choice) {
  const bool known = std::ranges::find(all(), choice.algorithm, &table::Choice::algorithm) != all().end();
  if (!known && count < most_candidates) choices[static_cast<std::size_t>(count++)] = choice;
}

Candidates candidates_for(const table::Query& query, const table::Place& place, const table::Choice& by_table,
                          const Machine& machine, Order order) {
  const auto bytes_end = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(query.bytes) + 1));
  Costs costs(query, place, machine);
  std::array<double, listed.size()> price;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto index = static_cast<int>(i);
    price[i] = may_run(*listed[i].info, index, query, place, bytes_end) ? costs.seconds(index) : never;
  }
  const auto cheapest = [&](Order kept) {
    const auto may_follow = [&](const table::Choice& choice) {
      return kept == Order::any || (kept == Order::kept && associate_alike(by_table, choice, query.ranks));
    };
    std::array<double, listed.size()> left = price;
    for (std::size_t i = 0; i < listed.size(); ++i)
      if (!may_follow({.algorithm = static_cast<int>(i)})) left[i] = never;
    Candidates found;
    found.add(by_table);
    if (may_follow({.algorithm = table::native})) found.add({.algorithm = table::native});
    const double worst = hopeless * *std::ranges::min_element(left);
    while (found.count < most_candidates) {
      const auto best = std::ranges::min_element(left);
      if (*best == never || *best > worst) break;
      *best = never;
      const auto index = static_cast<int>(best - left.begin());
      if (!is_like_any(index, found, costs)) found.add({.algorithm = index});
    }
    return found;
  };
  Candidates found = cheapest(order);
  found.of_any_order = cheapest(Order::any).count;
  return found;
}

}  // namespace mpigraft::learning
