// SPDX-License-Identifier: MIT
// Executes a recording: one-ported ranks, rendezvous messages, the linear cost model. The data that flows is the
// business of a Data policy, so the same engine proves results, traces failures and prices.
//
// A rank combines or communicates, never both at once. It goes through its events in no time until it combines or
// waits. A message of s bytes is under way from the moment when both its ranks wait, for this or for anything else, and
// takes latency + s * per_byte. Combining s bytes takes s * combine_per_byte, begins once no message is under way at
// the rank, and lets what the rank sends go first: the rank waits until that is over, too, unless all are stuck. What
// it has announced to receive comes after. So early requests gain nothing, and nothing is lost by them. Copies are
// free, and combining that takes no time waits for nothing: with `count_rounds` a run takes its longest chain of
// messages and hand-overs.
//
// A page costs the rank that publishes it nothing, whether others read or not, and is there for all of them `latency`
// later. Reading s bytes of it takes s * per_byte more, begins once no message is under way at the rank, and so is
// work, as combining is: all ranks may read a page at once.
//
// Time decides alone: of what happens at one moment, all that ends goes first, then all ranks go on, then messages
// start. A rank has as many slots for outstanding sends, and for outstanding receives, as the recording has ports: one,
// unless the algorithm is k-ported. `post` sees to it, and so to the usual bound of pipelines: two blocks in flight per
// edge; here it is one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/model/agenda.hpp"
#include "algorithms/model/published.hpp"
#include "algorithms/model/rank.hpp"
#include "algorithms/patterns/pages.hpp"

namespace mpigraft::model {

template <class Data>
class Replay {
 public:
  Replay(const Recording& recording, const Machine& machine, Data& data)
      : recording_(recording), data_(data), latency_(machine.latency), published_(recording.p) {
    const auto bytes = static_cast<double>(recording.params.element_bytes);
    per_element_ = bytes * machine.per_byte;
    combine_per_element_ = bytes * machine.combine_per_byte;
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

  /// Seconds until the last rank is done. Throws the first Violation.
  double run() {
    for (int r = 0; r < recording_.p; ++r) go_on(r);
    start_messages();
    do {
      while (!ends_.empty()) next_moment();
    } while (release());
    check_finished();
    return now_;
  }

  /// Seconds since the begin, for policies that keep a diary.
  double now() const { return now_; }

 private:
  /// The end of a message of `rank` to `peer` or, without a peer, of combining, of reading or of waiting for a page.
  struct End {
    int rank, peer;
  };
  using State = Slot::State;
  /// A whole number of units of 2^-40 s (a picosecond), so that sums are exact: what is over at the same moment is so
  /// whatever was added up. Rounded up, no price falls below what the machine's figures allow.
  static double whole_units(double seconds) { return std::ceil(seconds * 0x1p40) * 0x1p-40; }

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  void next_moment() {
    const auto [time, ends] = ends_.next();
    now_ = time;
    for (const End& end : ends) {
      go_on(end.rank);
      if (end.peer != none) go_on(end.peer);
    }
    start_messages();
  }

  /// Nothing moves: whoever has let its send go first combines instead. False where there is no such rank.
  bool release() {
    for (int r = 0; r < recording_.p; ++r) {
      if (!at(r).lets_send_go_first()) continue;
      at(r).is_released = true;
      go_on(r);
    }
    start_messages();
    return !ends_.empty();
  }

  void go_on(int r) {
    Rank& me = at(r);
    if (me.busy_until > now_) return;
    try {
      while (me.next != me.end && me.busy_until <= now_ && step(r, me)) ++me.next;
    } catch (const Violation& violation) {
      throw Violation(violation.fault, words(recording_, r, me.index()) + ": " + violation.what());
    }
    me.waits = me.busy_until <= now_;
    if (me.waits) waiting_.push_back(r);
  }

  /// False where the rank has to wait.
  bool step(int r, Rank& me) {
    const Event& e = *me.next;
    const int index = me.index();
    switch (e.step) {
      case Step::isend:
        me.check_access(e.from);
        data_.send(r, me.post(me.sends, recording_.p), index, e.from);
        break;
      case Step::irecv:
        me.check_write(e.to);
        me.post(me.receives, recording_.p);
        break;
      case Step::wait:
        return end_request(me, r);
      case Step::publish:
        publish(r, me, e);
        break;
      case Step::read:
        return read(r, me, e);
      case Step::copy:
        if (e.from == e.to) break;  // in place
        me.check_operands(e.from, e.from, e.to);
        data_.copy(r, index, e.from, e.to);
        break;
      case Step::combine:
        me.check_operands(e.from, e.upper, e.to);
        if (!combine(r, me, whole_units(e.to.count * combine_per_element_))) return false;
        data_.combine(r, index, e.from, e.upper, e.to);
        break;
    }
    return true;
  }

  /// False where the rank waits instead.
  bool combine(int r, Rank& me, double duration) {
    if (duration == 0) return true;
    if (me.sends.any_posted() && !std::exchange(me.is_released, false)) return false;
    keep_busy(r, me, duration);
    return true;
  }

  void keep_busy(int r, Rank& me, double duration) {
    me.busy_until = me.receives.quiet_after(me.sends.quiet_after(now_)) + duration;
    ends_.add(me.busy_until, {r, none});
  }

  void publish(int r, Rank& me, const Event& e) {
    me.check_access(e.from);
    me.enter_step(e.number);
    if (std::exchange(me.has_published, true)) throw Violation(Fault::step, "has published in it");
    if (e.from.count > page_elements(recording_.params)) throw Violation(Fault::page, "longer than a page");
    const double there = now_ + whole_units(latency_);
    published_.add(r, e.number, e.from.count, there);
    data_.publish(r, me.index(), e.from);
    for (int reader = 0; reader < recording_.p; ++reader) {
      const Rank& other = at(reader);
      const Event* next = other.waits && other.next != other.end ? other.next : &e;
      if (next->step == Step::read && next->peer == r && next->number == e.number) ends_.add(there, {reader, none});
    }
  }

  /// False where the rank has to wait for what it reads.
  bool read(int r, Rank& me, const Event& e) {
    me.check_peer(recording_.p);
    me.check_write(e.to);
    me.enter_step(e.number);
    const PublishedPage* page = published_.find(e.peer, e.number);
    if (!page) return false;
    if (e.from == outside || e.from.at + std::uint64_t{e.from.count} > page->count)
      throw Violation(Fault::page, "published are " + std::to_string(page->count) + " elements");
    if (page->there > now_) {
      ends_.add(page->there, {r, none});
      return false;
    }
    data_.read(r, me.index(), page->number, page->at + e.from.at, e.to);
    if (const double duration = whole_units(e.to.count * per_element_); duration > 0) keep_busy(r, me, duration);
    return true;
  }

  void start_messages() {
    for (const int r : waiting_) {
      const Rank& me = at(r);
      for (const Slot& slot : me.sends)
        if (slot.state == State::posted) start_if_both_wait(r, slot.event->peer);
      for (const Slot& slot : me.receives)
        if (slot.state == State::posted) start_if_both_wait(slot.event->peer, r);
    }
    waiting_.clear();
  }

  void start_if_both_wait(int sender, int receiver) {
    Rank &from = at(sender), &to = at(receiver);
    if (!from.waits || !to.waits || to.lets_send_go_first()) return;
    Slot *out = from.sends.first_posted(receiver), *in = to.receives.first_posted(sender);
    if (!out || !in) return;
    const Span source = out->event->from, target = in->event->to;
    if (source.count != target.count)
      throw Violation(Fault::length, words(recording_, receiver, static_cast<int>(in->event - to.first)) + ": rank " +
                                         std::to_string(sender) + " sends " + std::to_string(source.count) +
                                         " elements, rank " + std::to_string(receiver) + " expects " +
                                         std::to_string(target.count));
    data_.move(sender, from.sends.port(*out), source, receiver, to.receives.port(*in), target);
    out->end = in->end = now_ + whole_units(latency_ + target.count * per_element_);
    out->state = in->state = State::under_way;
    ends_.add(out->end, {sender, receiver});
  }

  /// Whether the request that it waits for is over.
  bool end_request(Rank& me, int r) {
    Slot& slot = me.awaited();
    if (slot.state == State::posted || slot.end > now_) return false;
    slot.state = State::idle;
    if (slot.event->step == Step::irecv) data_.received(r, me.receives.port(slot), me.index(), slot.event->to);
    return true;
  }

  void check_finished() const {
    std::string waiting;
    for (int r = 0; r < recording_.p; ++r) {
      const Rank& rank = ranks_[static_cast<std::size_t>(r)];
      if (rank.next != rank.end && waiting.size() < 400)
        waiting += (waiting.empty() ? "" : "; ") +
                   words(recording_, r, rank.next->step == Step::wait ? rank.next->peer : rank.index());
    }
    if (!waiting.empty()) throw Violation(Fault::deadlock, "deadlock, waiting: " + waiting);
    for (const Rank& rank : ranks_)
      for (const auto& slots : {rank.sends, rank.receives})
        for (const Slot& slot : slots)
          if (slot.state != State::idle)
            throw Violation(Fault::unfinished, words(recording_, static_cast<int>(&rank - ranks_.data()),
                                                     static_cast<int>(slot.event - rank.first)) +
                                                   ": never waited for");
  }

  const Recording& recording_;
  Data& data_;
  double latency_, per_element_, combine_per_element_;
  double now_ = 0;
  std::vector<Rank> ranks_;
  std::vector<Slot> slots_;
  std::vector<int> waiting_;  // ranks that have begun to wait just now
  Agenda<End> ends_;
  Published published_;
};

}  // namespace mpigraft::model
