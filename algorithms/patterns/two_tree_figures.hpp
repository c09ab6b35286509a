// SPDX-License-Identifier: MIT
// Exact figures of two-tree schedules.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::two_trees {

/// Elements that pass these edges.
constexpr std::int64_t volume(const std::array<Edge, 2>& edges, const Halves& halves) {
  std::int64_t sum = 0;
  for (const Edge& edge : edges) sum += edge.peer == none ? 0 : halves.elements(edge.half);
  return sum;
}

/// The plans of ranks 0..p-1.
template <class PlanOf>
std::vector<Plan> all_plans(int p, PlanOf plan_of) {
  std::vector<Plan> plans;
  plans.reserve(static_cast<std::size_t>(p));
  for (int r = 0; r < p; ++r) plans.push_back(plan_of(r));
  return plans;
}

/// The clocks of ranks that follow their plans and do nothing else, one round for every step in which something passes
/// their edges: the longest chain of exchanges. Nobody waits for steps in which it has nothing to do, so there may be
/// fewer rounds than steps. O(p k).
class Clocks {
 public:
  Clocks(std::size_t p, const Halves& halves) : halves_(halves), now_(p) {}

  /// All steps, backwards where `up`. The next walk starts where this one left the clocks.
  void walk(const std::vector<Plan>& plans, bool up) {
    std::int64_t last = 0;
    for (const Plan& plan : plans) last = std::max(last, halves_.last_step(plan));
    for (std::int64_t t = 1; t <= last; ++t) step(plans, up ? last + 1 - t : t);
  }
  int latest() const { return *std::max_element(now_.begin(), now_.end()); }

 private:
  void step(const std::vector<Plan>& plans, std::int64_t t) {
    before_ = now_;
    for (std::size_t r = 0; r < plans.size(); ++r) {
      const Pass pass = halves_.pass(plans[r].above, t);
      if (pass.peer == none) continue;
      const auto peer = static_cast<std::size_t>(pass.peer);
      const int end = 1 + std::max(before_[r], before_[peer]);
      now_[r] = std::max(now_[r], end);
      now_[peer] = std::max(now_[peer], end);
    }
  }

  Halves halves_;
  std::vector<int> now_, before_;
};

/// Of one walk; the same in both directions, since a chain of exchanges backwards is one too.
inline int rounds(const std::vector<Plan>& plans, const Halves& halves) {
  Clocks clocks(plans.size(), halves);
  clocks.walk(plans, false);
  return clocks.latest();
}

}  // namespace mpigraft::two_trees
