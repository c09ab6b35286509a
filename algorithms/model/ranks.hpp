// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "algorithms/model/rank.hpp"
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// All ranks of a recording, at their begin.
class Ranks {
 public:
  explicit Ranks(const Recording& recording) : recording_(recording) {
    const Event* events = recording.events.data();
    const auto ports = static_cast<std::size_t>(recording.ports);
    ranks_.resize(static_cast<std::size_t>(recording.p));
    slots_.resize(2 * ports * ranks_.size());
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].sends = {&slots_[2 * ports * r], recording.ports};
      ranks_[r].receives = {&slots_[2 * ports * r + ports], recording.ports};
      ranks_[r].own = static_cast<int>(r);
      ranks_[r].first = ranks_[r].next = events + recording.first_event[r];
      ranks_[r].end = events + recording.first_event[r + 1];
      ranks_[r].first_writable = recording.first_writable(static_cast<int>(r));
    }
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  Rank& operator[](int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  auto begin() { return ranks_.begin(); }
  auto end() { return ranks_.end(); }

  /// Throws a Violation if a rank waits, or has left something outstanding.
  void check_finished() const {
    std::string waiting;
    for (const Rank& rank : ranks_)
      if (rank.next != rank.end && waiting.size() < 400)
        waiting += (waiting.empty() ? "" : "; ") +
                   words(recording_, rank.own, rank.next->step == Step::wait ? rank.next->peer : rank.index());
    if (!waiting.empty()) throw Violation(Fault::deadlock, "deadlock, waiting: " + waiting);
    for (const Rank& rank : ranks_)
      for (const auto& slots : {rank.sends, rank.receives})
        for (const Slot& slot : slots)
          if (slot.state != Slot::State::idle)
            throw Violation(Fault::unfinished, words(recording_, rank.own, static_cast<int>(slot.event - rank.first)) +
                                                   ": never waited for");
  }

 private:
  const Recording& recording_;
  std::vector<Rank> ranks_;
  std::vector<Slot> slots_;
};

/// Throws a Violation unless both sides of a message have the same length.
inline void check_lengths(const Recording& recording, const Rank& sender, const Slot& out, const Rank& receiver,
                          const Slot& in) {
  const std::uint32_t sent = out.event->from.count, expected = in.event->to.count;
  if (sent == expected) return;
  throw Violation(Fault::length, words(recording, receiver.own, static_cast<int>(in.event - receiver.first)) +
                                     ": rank " + std::to_string(sender.own) + " sends " + std::to_string(sent) +
                                     " elements, rank " + std::to_string(receiver.own) + " expects " +
                                     std::to_string(expected));
}

}  // namespace mpigraft::model
