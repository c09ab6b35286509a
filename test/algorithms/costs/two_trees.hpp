// SPDX-License-Identifier: MIT
// Costs of two-tree schedules.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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

/// The clocks of ranks that follow their plans and do nothing else, when a message takes one round: the longest chain
/// of messages. A rank does not wait in steps without messages, and waits for the end of a send only before its next
/// one, so there may be fewer rounds than steps. While every edge passes blocks, the clocks soon advance by a constant
/// in every two steps, and such steps are skipped. The others take O(p) each.
class Clocks {
 public:
  Clocks(std::size_t p, const Halves& halves) : halves_(halves), ranks_(p) {}

  /// Walks all steps, backwards if `up`. The next walk starts where this one left the clocks.
  void walk(const std::vector<Plan>& plans, bool up) {
    const Span steps = span(plans);
    const std::int64_t last = steps.last;
    if (last == 0) return;  // nothing passes
    const std::int64_t steady = up ? last + 1 - steps.earliest_last : steps.latest_first;
    const std::int64_t unsteady = up ? last + 2 - steps.latest_first : steps.earliest_last + 1;
    std::int64_t s = 1;
    const auto go_to = [&](std::int64_t end) {
      for (; s < end; ++s) step(plans, up, up ? last + 1 - s : s);
    };
    go_to(steady);
    while (s + 2 <= unsteady) {
      before_ = ranks_;
      go_to(s + 2);
      const std::int64_t pairs = (unsteady - s) / 2;
      if (put_forward(pairs)) s += 2 * pairs;
    }
    go_to(last + 1);
  }
  int latest() const {
    int end = 0;
    for (const Rank& rank : ranks_) end = std::max({end, rank.now, rank.sent});
    return end;
  }

 private:
  /// `now`: its clock; `sent`: end of its last send; `announced`: when it announced its next receive; `sends`: begin of
  /// its last send.
  struct Rank {
    int now = 0, sent = 0, announced = 0, sends = 0;
  };
  static constexpr std::array times{&Rank::now, &Rank::sent, &Rank::announced};

  /// Every edge passes blocks from step latest_first to earliest_last.
  struct Span {
    std::int64_t last = 0, latest_first = 0, earliest_last = std::numeric_limits<std::int64_t>::max();
  };

  Span span(const std::vector<Plan>& plans) const {
    Span all;
    for (const Plan& plan : plans)
      for (const Edge& edge : plan.above) {
        if (edge.peer == none) continue;
        const std::int64_t last = edge.first + 2 * (halves_.blocks(edge.half).b - 1);
        if (last < edge.first) continue;
        all.last = std::max(all.last, last);
        all.latest_first = std::max<std::int64_t>(all.latest_first, edge.first);
        all.earliest_last = std::min(all.earliest_last, last);
      }
    return all;
  }

  /// If the last two steps advanced all times by the same amount, advances them by `pairs` times as much; false
  /// otherwise. A time that did not move belongs to a port that this walk does not use.
  bool put_forward(std::int64_t pairs) {
    int lead = 0;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      for (const auto time : times) {
        const int moved = ranks_[r].*time - before_[r].*time;
        if (lead == 0) lead = moved;
        if (moved != 0 && moved != lead) return false;
      }
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      for (const auto time : times)
        if (ranks_[r].*time != before_[r].*time) ranks_[r].*time += lead * static_cast<int>(pairs);
    return true;
  }

  void step(const std::vector<Plan>& plans, bool up, std::int64_t t) {
    for (std::size_t r = 0; r < plans.size(); ++r) {
      const Pass out = halves_.pass(up ? plans[r].above : plans[r].below, t);
      Rank& rank = ranks_[r];
      if (out.peer != none) rank.sends = rank.now = std::max(rank.now, rank.sent);
    }
    for (std::size_t r = 0; r < plans.size(); ++r) {
      const Pass in = halves_.pass(up ? plans[r].below : plans[r].above, t);
      if (in.peer == none) continue;
      Rank &receiver = ranks_[r], &sender = ranks_[static_cast<std::size_t>(in.peer)];
      sender.sent = 1 + std::max(sender.sends, receiver.announced);
      receiver.announced = receiver.now = std::max(receiver.now, sender.sent);
    }
  }

  Halves halves_;
  std::vector<Rank> ranks_, before_;
};

/// Rounds of one walk.
inline int rounds(const std::vector<Plan>& plans, const Halves& halves, bool up) {
  Clocks clocks(plans.size(), halves);
  clocks.walk(plans, up);
  return clocks.latest();
}

}  // namespace mpigraft::two_trees
