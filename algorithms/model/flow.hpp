// SPDX-License-Identifier: MIT
// Executes a recording as replay.hpp does on the machine `count_rounds`, in less time. Only messages and pages take
// time, so each rank has a clock of its own and goes on as far as it can, whatever the others do meanwhile. A message
// begins when the later of its two sides is announced, and ends a round later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/model/published.hpp"
#include "algorithms/model/ranks.hpp"
#include "algorithms/patterns/pages.hpp"

namespace mpigraft::model {

template <class Data>
class Flow {
 public:
  Flow(const Recording& recording, Data& data)
      : recording_(recording), data_(data), ranks_(recording), published_(recording.p) {}

  /// Rounds until the last rank is done. Throws a Violation, which need not be the first in time.
  std::int64_t run() {
    for (int r = 0; r < recording_.p; ++r) {
      ready_.push_back(r);
      while (!ready_.empty()) {
        Rank& next = ranks_[ready_.back()];
        ready_.pop_back();
        go_on(next);
      }
    }
    ranks_.check_finished();
    double last = 0;
    for (const Rank& rank : ranks_) last = std::max(last, rank.busy_until);
    return static_cast<std::int64_t>(last);
  }

 private:
  void go_on(Rank& me) {
    while (me.next != me.end && step(me)) ++me.next;
    me.waits = me.next != me.end;
  }

  /// False if the rank has to wait.
  bool step(Rank& me) {
    const Event& e = *me.next;
    switch (e.step) {
      case Step::isend:
        me.check_access(e.from);
        data_.send(me.own, me.post(me.sends, recording_.p), me.index(), e.from);
        match(me, ranks_[e.peer], me);
        break;
      case Step::irecv:
        me.check_write(e.to);
        me.post(me.receives, recording_.p);
        match(ranks_[e.peer], me, me);
        break;
      case Step::wait:
        return end_request(me);
      case Step::publish:
        publish(me, e);
        break;
      case Step::read:
        return read(me, e);
      case Step::copy:
        if (e.from == e.to) break;  // in place
        me.check_operands(e.from, e.from, e.to);
        data_.copy(me.own, me.index(), e.from, e.to);
        break;
      case Step::combine:
        me.check_operands(e.from, e.upper, e.to);
        data_.combine(me.own, me.index(), e.from, e.upper, e.to);
        break;
    }
    return true;
  }

  /// Begins the next message between two ranks if both sides are announced; `later` has just announced its side.
  void match(Rank& from, Rank& to, const Rank& later) {
    Slot *out = from.sends.first_posted(to.own), *in = to.receives.first_posted(from.own);
    if (!out || !in) return;
    check_lengths(recording_, from, *out, to, *in);
    data_.move(from.own, from.sends.port(*out), out->event->from, to.own, to.receives.port(*in), in->event->to);
    out->time = in->time = std::max(out->time, in->time) + 1;
    out->state = in->state = Slot::State::under_way;
    const bool is_sent_later = &later == &from;
    Rank& earlier = is_sent_later ? to : from;
    if (earlier.waits && earlier.wants_end_of((is_sent_later ? in : out)->event)) wake(earlier);
  }

  void wake(Rank& rank) {
    rank.waits = false;
    ready_.push_back(rank.own);
  }

  bool end_request(Rank& me) {
    Slot& slot = me.awaited();
    if (slot.state == Slot::State::posted) return false;
    me.busy_until = std::max(me.busy_until, slot.time);
    slot.state = Slot::State::idle;
    if (slot.event->step == Step::irecv) data_.received(me.own, me.receives.port(slot), me.index(), slot.event->to);
    return true;
  }

  void publish(Rank& me, const Event& e) {
    me.check_publish(page_elements(recording_.params));
    published_.add(me.own, e.number, e.from.count, me.busy_until + 1);
    data_.publish(me.own, me.index(), e.from);
    for (Rank& reader : ranks_)
      if (reader.waits && reader.wants_page(me.own, e.number)) wake(reader);
  }

  bool read(Rank& me, const Event& e) {
    const PublishedPage* page = me.check_read(recording_.p, published_);
    if (!page) return false;
    me.busy_until = std::max(me.busy_until, page->there);
    data_.read(me.own, me.index(), page->number, page->at + e.from.at, e.to);
    return true;
  }

  const Recording& recording_;
  Data& data_;
  Ranks ranks_;
  Published published_;
  std::vector<int> ready_;  // ranks that can go on
};

}  // namespace mpigraft::model
