// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// A port of a rank in one direction, and the message that is outstanding there.
struct Slot {
  enum class State : std::uint8_t { idle, posted, under_way };

  const Event* event = nullptr;
  double time = 0;  // when it was announced or, once it is under way, when it ends
  State state = State::idle;
};

/// All ports of a rank in one direction. Messages between two ranks do not overtake one another.
class Slots {
 public:
  using State = Slot::State;

  Slots() = default;
  Slots(Slot* first, int ports) : slots_(first, static_cast<std::size_t>(ports)) {}

  int port(const Slot& slot) const { return static_cast<int>(&slot - slots_.data()); }
  auto begin() const { return slots_.begin(); }
  auto end() const { return slots_.end(); }

  /// Posts the event and gives the port that it takes. `first` is the rank's first event. Throws a Violation if no port
  /// is free.
  int post(const Event* event, const Event* first, double now) const {
    for (Slot& slot : slots_) {
      if (slot.state != State::idle) continue;
      slot = {event, now, State::posted};
      return port(slot);
    }
    throw Violation(Fault::ports,
                    "event " + std::to_string(slots_[0].event - first) + " of the same kind is still outstanding");
  }
  /// nullptr if there is no such message.
  Slot* outstanding(const Event* event) const {
    for (Slot& slot : slots_)
      if (slot.state != State::idle && slot.event == event) return &slot;
    return nullptr;
  }
  /// The earliest posted message from or to `peer` that has not started, or nullptr.
  Slot* first_posted(int peer) const {
    Slot* first = nullptr;
    for (Slot& slot : slots_)
      if (slot.state == State::posted && slot.event->peer == peer && (!first || slot.event < first->event))
        first = &slot;
    return first;
  }
  bool any_posted() const {
    return std::ranges::any_of(slots_, [](const Slot& slot) { return slot.state == State::posted; });
  }
  /// True if an outstanding message uses memory of `span`; `which` is Event::from or Event::to.
  bool use(Span span, Span Event::*which) const {
    return std::ranges::any_of(
        slots_, [=](const Slot& slot) { return slot.state != State::idle && span.overlaps(slot.event->*which); });
  }
  /// The time from which on nothing is under way any more; at least `now`.
  double quiet_after(double now) const {
    for (const Slot& slot : slots_)
      if (slot.state == State::under_way) now = std::max(now, slot.time);
    return now;
  }

 private:
  std::span<Slot> slots_;
};

}  // namespace mpigraft::model
