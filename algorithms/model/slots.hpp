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
  double time = 0;  // of its announcement or, once it is under way, of its end
  State state = State::idle;
};

/// All of them, in one direction. Messages between two ranks do not overtake one another.
class Slots {
 public:
  using State = Slot::State;

  Slots() = default;
  Slots(Slot* first, int ports) : slots_(first, static_cast<std::size_t>(ports)) {}

  int port(const Slot& slot) const { return static_cast<int>(&slot - slots_.data()); }
  auto begin() const { return slots_.begin(); }
  auto end() const { return slots_.end(); }

  /// The port that the event takes now. `first` is the rank's first event.
  int post(const Event* event, const Event* first, double now) const {
    for (Slot& slot : slots_) {
      if (slot.state != State::idle) continue;
      slot = {event, now, State::posted};
      return port(slot);
    }
    throw Violation(Fault::ports,
                    "event " + std::to_string(slots_[0].event - first) + " of the same kind is still outstanding");
  }
  /// nullptr: no such message.
  Slot* outstanding(const Event* event) const {
    for (Slot& slot : slots_)
      if (slot.state != State::idle && slot.event == event) return &slot;
    return nullptr;
  }
  /// The next one that waits for its start, from or to `peer`; nullptr: none.
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
  /// Whether an outstanding message uses memory of `span`; `which` is Event::from or Event::to.
  bool use(Span span, Span Event::*which) const {
    return std::ranges::any_of(
        slots_, [=](const Slot& slot) { return slot.state != State::idle && span.overlaps(slot.event->*which); });
  }
  /// When nothing is under way any more, not before `now`.
  double quiet_after(double now) const {
    for (const Slot& slot : slots_)
      if (slot.state == State::under_way) now = std::max(now, slot.time);
    return now;
  }

 private:
  std::span<Slot> slots_;
};

}  // namespace mpigraft::model
