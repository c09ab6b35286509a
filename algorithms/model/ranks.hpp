// SPDX-License-Identifier: MIT
// The ranks of a replay: how far each is, what is outstanding, what it may touch meanwhile, and what pages they have
// published.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
    throw Violation(Fault::ports, "event ", slots_[0].event - first, " of the same kind is still outstanding");
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

/// The page that one rank publishes in one step.
struct PublishedPage {
  std::uint32_t count;  // elements
  double there;         // from when on all may read it
  std::size_t number;   // among all pages, in the order of publishing
  std::size_t at;       // its first element, where all pages lie one behind the other
};

/// All pages published so far.
class Published {
 public:
  /// REQUIRES: the rank has published nothing in this step.
  void add(int rank, int step, std::uint32_t count, double there) {
    pages_.try_emplace({rank, step}, PublishedPage{count, there, pages_.size(), elements_});
    elements_ += count;
  }
  /// nullptr if it is not published yet.
  const PublishedPage* find(int owner, int step) const {
    const auto page = pages_.find({owner, step});
    return page != pages_.end() ? &page->second : nullptr;
  }

 private:
  std::size_t elements_ = 0;
  std::map<std::pair<int, int>, PublishedPage> pages_;  // by rank and step
};

struct Rank {
  int own;  // its number
  const Event* first;
  const Event* next;
  const Event* end;
  Slots sends, receives;
  double busy_until = 0;       // until then it combines or reads
  int pages_step = 0;          // the step in which it published or read last
  bool has_published = false;  // in that step
  Span result;                 // that it may write, as all from `scratch` on
  std::uint32_t scratch;       // where it begins
  bool waits = false;          // or is done
  bool is_released = false;

  int index_of(const Event& event) const { return static_cast<int>(&event - first); }
  int index() const { return static_cast<int>(next - first); }

  /// True if it could combine, but waits for its posted sends to be over first.
  bool lets_send_go_first() const { return waits && next != end && next->step == Step::combine && sends.any_posted(); }

  void check_peer(int p) const {
    if (next->peer == own) throw Violation(Fault::bounds, "the peer is the rank itself");
    if (next->peer < 0 || next->peer >= p) throw Violation(Fault::bounds, "no such peer");
  }
  /// Posts the next event, a send or receive, and gives its port.
  int post(const Slots& slots, int p) const {
    check_peer(p);
    return slots.post(next, first, busy_until);
  }
  /// The message that the wait waits for.
  Slot& awaited() const {
    const int request = next->peer;
    if (request < 0 || request >= index()) throw Violation(Fault::request, "no such request");
    const Event* posted = first + request;
    Slot* slot = (posted->step == Step::isend ? sends : receives).outstanding(posted);
    if (!slot) throw Violation(Fault::request, "it is not outstanding");
    return *slot;
  }

  void check_access(Span span) const {
    if (span == outside) throw Violation(Fault::bounds, "outside its buffer");
    if (receives.use(span, &Event::to))
      throw Violation(Fault::pending, "touches what an unfinished receive is to fill");
  }

  void check_write(Span span) const {
    check_access(span);
    if (span.count > 0 && span.at < scratch && !result.contains(span))
      throw Violation(Fault::forbidden, "writes what this rank must not write");
    if (sends.use(span, &Event::from)) throw Violation(Fault::pending, "writes what an unfinished send reads");
  }

  /// `out` may be `upper`, as in MPI_Reduce_local; otherwise it shares memory with neither operand.
  void check_operands(Span lower, Span upper, Span out) const {
    check_access(lower);
    check_access(upper);
    check_write(out);
    if (lower.count != out.count || upper.count != out.count)
      throw Violation(Fault::length, "blocks of different length");
    if (lower.overlaps(out) || (upper.overlaps(out) && upper != out)) throw Violation(Fault::overlap, "blocks overlap");
  }

  void check_publish(std::int64_t most) {
    check_access(next->from);
    enter_step(next->number);
    if (std::exchange(has_published, true)) throw Violation(Fault::step, "has published in it");
    if (next->from.count > most) throw Violation(Fault::page, "longer than a page");
  }
  /// The page that it reads, or nullptr if that is not published yet.
  const PublishedPage* check_read(int p, const Published& published) {
    check_peer(p);
    check_write(next->to);
    enter_step(next->number);
    const PublishedPage* page = published.find(next->peer, next->number);
    if (page && (next->from == outside || next->from.at + std::uint64_t{next->from.count} > page->count))
      throw Violation(Fault::page, "published are ", page->count, " elements");
    return page;
  }
  /// REQUIRES: it waits, or is done.
  bool wants_page(int owner, int step) const {
    return next != end && next->step == Step::read && next->peer == owner && next->number == step;
  }

 private:
  /// Begins to publish or read in step `s`.
  void enter_step(int s) {
    if (s < pages_step) throw Violation(Fault::step, "after step ", pages_step);
    if (s > pages_step) has_published = false;
    pages_step = s;
  }
};

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
      ranks_[r].result = recording.writable_result(static_cast<int>(r));
      ranks_[r].scratch = recording.end_of_operands(static_cast<int>(r));
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
    if (!waiting.empty()) throw Violation(Fault::deadlock, "deadlock, waiting: ", waiting);
    for (const Rank& rank : ranks_)
      for (const auto& slots : {rank.sends, rank.receives})
        for (const Slot& slot : slots)
          if (slot.state != Slot::State::idle)
            throw Violation(Fault::unfinished, words(recording_, rank.own, rank.index_of(*slot.event)),
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
  throw Violation(Fault::length, words(recording, receiver.own, receiver.index_of(*in.event)), ": rank ", sender.own,
                  " sends ", sent, " elements, rank ", receiver.own, " expects ", expected);
}

}  // namespace mpigraft::model
