// SPDX-License-Identifier: MIT
// Executes a recording: one-ported ranks, rendezvous messages, the linear cost model. A Data policy decides what data
// flows, so the same engine proves results, traces failures and prices.
//
// A rank combines or communicates, never both at once. It goes through its events in no time until it combines or
// waits. A message of s bytes is under way from the moment when both its ranks wait, for this or for anything else, and
// takes latency + s * per_byte. Combining s bytes takes s * combine_per_byte, begins once no message is under way at
// the rank, and lets what the rank sends go first: the rank waits until that is over, too, unless all are stuck.
// Receives that it has only announced come after. So early requests gain nothing and lose nothing. Copies are free, and
// combining that takes no time waits for nothing: with `count_rounds` a run takes its longest chain of messages and
// hand-overs.
//
// A page costs the rank that publishes it nothing, whether others read or not, and is there for all of them `latency`
// later. Reading s bytes of it takes s * per_byte more, begins once no message is under way at the rank, and so is
// work, as combining is: all ranks may read a page at once.
//
// Only time decides the order. At one moment first all ends happen, then all ranks go on, then messages start. A rank
// has as many slots for outstanding sends, and for outstanding receives, as the recording has ports: one, unless the
// algorithm is k-ported. `post` enforces that, and so bounds the blocks in flight per edge: pipelines usually have two,
// here they have one.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/model/ranks.hpp"
#include "algorithms/patterns/pages.hpp"

namespace mpigraft::model {

/// The Data policy of a replay in which nothing flows. Other policies have the same members.
struct NoData {
  void send(int /*rank*/, int /*port*/, int /*event*/, Span /*from*/) {}
  /// A message begins. Both blocks stay untouched until they are waited for.
  void move(int /*sender*/, int /*port*/, Span /*from*/, int /*receiver*/, int /*port*/, Span /*to*/) {}
  /// A receive is over; `event` is the wait.
  void received(int /*rank*/, int /*port*/, int /*event*/, Span /*to*/) {}
  /// Publishes the next page, with the values that the block holds now.
  void publish(int /*rank*/, int /*event*/, Span /*from*/) {}
  /// Reads from a page. `page` counts from 0; `first` is the first element, where all pages lie one behind the other.
  void read(int /*rank*/, int /*event*/, std::size_t /*page*/, std::size_t /*first*/, Span /*to*/) {}
  void copy(int /*rank*/, int /*event*/, Span /*from*/, Span /*to*/) {}
  void combine(int /*rank*/, int /*event*/, Span /*lower*/, Span /*upper*/, Span /*out*/) {}
};

template <class Data>
class Replay {
 public:
  Replay(const Recording& recording, const Machine& machine, Data& data)
      : recording_(recording), data_(data), latency_(machine.latency), ranks_(recording) {
    const auto bytes = static_cast<double>(recording.params.element_bytes);
    per_element_ = bytes * machine.per_byte;
    combine_per_element_ = bytes * machine.combine_per_byte;
  }

  /// Seconds until the last rank is done. Throws the first Violation.
  double run() {
    for (int r = 0; r < recording_.p; ++r) go_on(r);
    start_messages();
    do {
      while (!ends_.empty()) next_moment();
    } while (release());
    ranks_.check_finished();
    return now_;
  }

  /// Seconds since the begin, for policies that record times.
  double now() const { return now_; }

 private:
  /// The end of a message of `rank` to `peer` or, without a peer, of combining, of reading or of waiting for a page.
  struct End {
    int rank, peer;
  };
  using State = Slot::State;
  /// Rounds up to a whole number of units of 2^-40 s (a picosecond), so that sums are exact and ends at the same moment
  /// compare equal. Rounding up keeps prices from falling below what the machine's figures allow.
  static double whole_units(double seconds) { return std::ceil(seconds * 0x1p40) * 0x1p-40; }

  void next_moment() {
    const auto moment = ends_.extract(ends_.begin());
    now_ = moment.key();
    for (const End& end : moment.mapped()) {
      go_on(end.rank);
      if (end.peer != none) go_on(end.peer);
    }
    start_messages();
  }

  /// Nothing moves: each rank that has let its sends go first combines instead. False if that starts nothing.
  bool release() {
    for (int r = 0; r < recording_.p; ++r) {
      if (!ranks_[r].lets_send_go_first()) continue;
      ranks_[r].is_released = true;
      go_on(r);
    }
    start_messages();
    return !ends_.empty();
  }

  void go_on(int r) {
    Rank& me = ranks_[r];
    if (me.busy_until > now_) return;
    try {
      while (me.next != me.end && me.busy_until <= now_ && step(r, me)) ++me.next;
    } catch (const Violation& violation) {
      throw Violation(violation.fault, words(recording_, r, me.index()), ": ", violation.what());
    }
    me.waits = me.busy_until <= now_;
    if (me.waits) waiting_.push_back(r);
  }

  /// False if the rank has to wait.
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

  /// False if the rank waits instead.
  bool combine(int r, Rank& me, double duration) {
    if (duration == 0) return true;
    if (me.sends.any_posted() && !std::exchange(me.is_released, false)) return false;
    keep_busy(r, me, duration);
    return true;
  }

  void keep_busy(int r, Rank& me, double duration) {
    me.busy_until = me.receives.quiet_after(me.sends.quiet_after(now_)) + duration;
    ends_[me.busy_until].push_back({r, none});
  }

  void publish(int r, Rank& me, const Event& e) {
    me.check_publish(page_elements(recording_.params));
    const double there = now_ + whole_units(latency_);
    published_.add(r, e.number, e.from.count, there);
    data_.publish(r, me.index(), e.from);
    for (int reader = 0; reader < recording_.p; ++reader) {
      const Rank& other = ranks_[reader];
      if (other.waits && other.wants_page(r, e.number)) ends_[there].push_back({reader, none});
    }
  }

  /// False if the rank has to wait for what it reads.
  bool read(int r, Rank& me, const Event& e) {
    const PublishedPage* page = me.check_read(recording_.p, published_);
    if (!page) return false;
    if (page->there > now_) {
      ends_[page->there].push_back({r, none});
      return false;
    }
    data_.read(r, me.index(), page->number, page->at + e.from.at, e.to);
    if (const double duration = whole_units(e.to.count * per_element_); duration > 0) keep_busy(r, me, duration);
    return true;
  }

  void start_messages() {
    for (const int r : waiting_) {
      const Rank& me = ranks_[r];
      for (const Slot& slot : me.sends)
        if (slot.state == State::posted) start_if_both_wait(r, slot.event->peer);
      for (const Slot& slot : me.receives)
        if (slot.state == State::posted) start_if_both_wait(slot.event->peer, r);
    }
    waiting_.clear();
  }

  void start_if_both_wait(int sender, int receiver) {
    Rank &from = ranks_[sender], &to = ranks_[receiver];
    if (!from.waits || !to.waits || to.lets_send_go_first()) return;
    Slot *out = from.sends.first_posted(receiver), *in = to.receives.first_posted(sender);
    if (!out || !in) return;
    check_lengths(recording_, from, *out, to, *in);
    const Span source = out->event->from, target = in->event->to;
    data_.move(sender, from.sends.port(*out), source, receiver, to.receives.port(*in), target);
    out->time = in->time = now_ + whole_units(latency_ + target.count * per_element_);
    out->state = in->state = State::under_way;
    ends_[out->time].push_back({sender, receiver});
  }

  /// True if the request that it waits for is over.
  bool end_request(Rank& me, int r) {
    Slot& slot = me.awaited();
    if (slot.state == State::posted || slot.time > now_) return false;
    slot.state = State::idle;
    if (slot.event->step == Step::irecv) data_.received(r, me.receives.port(slot), me.index(), slot.event->to);
    return true;
  }

  const Recording& recording_;
  Data& data_;
  double latency_, per_element_, combine_per_element_;
  double now_ = 0;
  Ranks ranks_;
  std::vector<int> waiting_;                 // ranks that have begun to wait just now
  std::map<double, std::vector<End>> ends_;  // by time
  Published published_;
};

}  // namespace mpigraft::model
