// SPDX-License-Identifier: MIT
// Costs of two-tree schedules.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/patterns/two_tree.hpp"

namespace mpigraft::two_trees {

/// Number of elements that pass these edges.
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

/// The clocks of ranks that pass messages and do nothing else, when a message takes one round: the longest chain of
/// messages. A rank does not wait in steps without messages, and waits for the end of a send only before its next one,
/// so there may be fewer rounds than steps.
class Clocks {
 public:
  struct Message {
    int from, to;
  };

  explicit Clocks(std::size_t p) : ranks_(p) {}

  /// At most one message from each rank, and one to each. They are announced when the one before has come if `ahead`,
  /// or else in this step.
  void step(const std::vector<Message>& messages, bool ahead = true) {
    for (const Message& message : messages) at(message.from).sends = at(message.from).now = ready(message.from);
    for (const auto& [from, to] : messages) {
      at(from).sent = 1 + std::max(at(from).sends, ahead ? at(to).announced : at(to).now);
      at(to).announced = at(to).now = std::max(at(to).now, at(from).sent);
    }
  }
  /// Walks all steps, backwards if `up`.
  void walk(const std::vector<Plan>& plans, const Halves& halves, bool up) {
    std::int64_t last = 0;
    for (const Plan& plan : plans)
      for (const Edge& edge : plan.above)
        if (const std::int64_t b = halves.blocks(edge.half).b; edge.peer != none && b > 0)
          last = std::max(last, edge.first + 2 * (b - 1));
    std::vector<Message> messages;
    for (std::int64_t s = 1; s <= last; ++s, messages.clear()) {
      for (int r = 0; const Plan& plan : plans) {
        const Pass in = halves.pass(up ? plan.below : plan.above, up ? last + 1 - s : s);
        if (in.peer != none) messages.push_back({in.peer, r});
        ++r;
      }
      step(messages);
    }
  }
  int latest() const {
    int end = 0;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) end = std::max(end, ready(r));
    return end;
  }

 private:
  /// `now`: its clock; `sent`: end of its last send; `announced`: when it announced its next receive; `sends`: begin of
  /// its last send.
  struct Rank {
    int now = 0, sent = 0, announced = 0, sends = 0;
  };
  Rank& at(int r) { return ranks_[static_cast<std::size_t>(r)]; }
  /// When the rank can send.
  int ready(int r) const {
    const Rank& rank = ranks_[static_cast<std::size_t>(r)];
    return std::max(rank.now, rank.sent);
  }

  std::vector<Rank> ranks_;
};

/// Rounds of one walk.
inline int rounds(const std::vector<Plan>& plans, const Halves& halves, bool up) {
  Clocks clocks(plans.size());
  clocks.walk(plans, halves, up);
  return clocks.latest();
}

}  // namespace mpigraft::two_trees
