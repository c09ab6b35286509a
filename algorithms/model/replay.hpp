// SPDX-License-Identifier: MIT
// Executes a recording: one-ported ranks, rendezvous messages, the linear cost model. What flows is the business of
// a Data policy, so the same engine proves results, traces failures and prices.
//
// A rank has at most one outstanding send and one outstanding receive, so matching first-in first-out is looking at
// one slot of the peer, and the order in which ranks are advanced changes nothing. `check_post` sees to it. It is
// stricter than the usual bound of pipelines, two blocks in flight per edge: here there is one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// The policy of a replay in which nothing flows; the others have the same members.
struct NoData {
  void send(int /*rank*/, int /*event*/, Span /*from*/) {}
  /// The two sides have met; both blocks stay untouched until they are waited for.
  void move(int /*sender*/, Span /*from*/, int /*receiver*/, Span /*to*/) {}
  /// Receive over; `event` is the wait.
  void received(int /*rank*/, int /*event*/, Span /*to*/) {}
  void copy(int /*rank*/, int /*event*/, Span /*from*/, Span /*to*/) {}
  void combine(int /*rank*/, int /*event*/, Span /*lower*/, Span /*upper*/, Span /*out*/) {}
};

template <class Data>
class Replay {
 public:
  Replay(const Recording& recording, const Machine& machine, Data& data)
      : recording_(recording), data_(data), latency_(machine.latency) {
    const auto bytes = static_cast<double>(recording.params.element_bytes);
    per_element_ = bytes * machine.per_byte;
    combine_per_element_ = bytes * machine.combine_per_byte;
    const Event* events = recording.events.data();
    ranks_.resize(static_cast<std::size_t>(recording.p));
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].first = ranks_[r].next = events + recording.first_event[r];
      ranks_[r].end = events + recording.first_event[r + 1];
      ranks_[r].first_writable = recording.first_writable(static_cast<int>(r));
    }
  }

  /// When the last rank is done. Throws the first Violation.
  double run() {
    for (int r = 0; r < recording_.p; ++r) {
      advance(r);
      while (!ready_.empty()) {
        const int next = ready_.back();
        ready_.pop_back();
        advance(next);
      }
    }
    return finish();
  }

 private:
  enum class State : std::uint8_t { idle, posted, matched };
  struct Slot {
    const Event* event = nullptr;
    double time = 0;  // when posted; once matched, when over
    State state = State::idle;
  };
  struct Rank {
    const Event* first;
    const Event* next;
    const Event* end;
    double now = 0;
    Slot send, receive;
    std::uint32_t first_writable;
    bool blocked = false;
  };

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  void advance(int r) {
    Rank& me = at(r);
    try {
      while (me.next != me.end && step(r, me)) ++me.next;
    } catch (const Violation& violation) {
      throw Violation(violation.fault,
                      words(recording_, r, static_cast<int>(me.next - me.first)) + ": " + violation.what());
    }
  }

  /// False where the rank has to wait for another.
  bool step(int r, Rank& me) {
    const Event& e = *me.next;
    const int index = static_cast<int>(me.next - me.first);
    switch (e.step) {
      case Step::isend:
        post_send(r, me, index);
        break;
      case Step::irecv:
        post_receive(r, me);
        break;
      case Step::wait:
        return wait(r, me, index);
      case Step::copy:
        if (e.from == e.to) break;  // in place
        check_operands(me, e.from, e.from, e.to);
        data_.copy(r, index, e.from, e.to);
        break;
      case Step::combine:
        check_operands(me, e.from, e.upper, e.to);
        data_.combine(r, index, e.from, e.upper, e.to);
        me.now += e.to.count * combine_per_element_;
        break;
    }
    return true;
  }

  void post_send(int r, Rank& me, int index) {
    const Event& e = *me.next;
    check_post(r, me.send, e.peer);
    check_access(me, e.from);
    data_.send(r, index, e.from);
    me.send = {&e, me.now, State::posted};
    const Slot& other = at(e.peer).receive;
    if (other.state == State::posted && other.event->peer == r) match(r, e.peer);
  }

  void post_receive(int r, Rank& me) {
    const Event& e = *me.next;
    check_post(r, me.receive, e.peer);
    check_write(me, e.to);
    me.receive = {&e, me.now, State::posted};
    const Slot& other = at(e.peer).send;
    if (other.state == State::posted && other.event->peer == r) match(e.peer, r);
  }

  /// A transfer starts when both sides are posted: their ports are free, since a rank's clock has passed the end of
  /// what it has waited for.
  void match(int sender, int receiver) {
    Slot &out = at(sender).send, &in = at(receiver).receive;
    const Span from = out.event->from, to = in.event->to;
    if (from.count != to.count)
      throw Violation(Fault::length, "rank " + std::to_string(sender) + " sends " + std::to_string(from.count) +
                                         " elements, rank " + std::to_string(receiver) + " expects " +
                                         std::to_string(to.count));
    data_.move(sender, from, receiver, to);
    out.time = in.time = std::max(out.time, in.time) + latency_ + to.count * per_element_;
    out.state = in.state = State::matched;
    wake(sender);
    wake(receiver);
  }

  void wake(int r) {
    if (!at(r).blocked) return;
    at(r).blocked = false;
    ready_.push_back(r);
  }

  bool wait(int r, Rank& me, int index) {
    const int request = me.next->peer;
    if (request < 0 || request >= index) throw Violation(Fault::request, "no such request");
    const Event* posted = me.first + request;
    Slot& slot = posted->step == Step::isend ? me.send : me.receive;
    if (slot.state == State::idle || slot.event != posted) throw Violation(Fault::request, "it is not outstanding");
    if (slot.state == State::posted) {
      me.blocked = true;
      return false;
    }
    slot.state = State::idle;
    me.now = std::max(me.now, slot.time);
    if (posted->step == Step::irecv) data_.received(r, index, posted->to);
    return true;
  }

  void check_post(int r, const Slot& port, int peer) const {
    if (peer < 0 || peer >= recording_.p || peer == r) throw Violation(Fault::bounds, "no such peer");
    if (port.state != State::idle)
      throw Violation(Fault::one_ported, "event " +
                                             std::to_string(port.event - ranks_[static_cast<std::size_t>(r)].first) +
                                             " of the same kind is still outstanding");
  }

  static void check_access(const Rank& me, Span span) {
    if (span == outside) throw Violation(Fault::bounds, "outside its buffer");
    if (me.receive.state != State::idle && span.overlaps(me.receive.event->to))
      throw Violation(Fault::pending, "touches what an unfinished receive is to fill");
  }

  static void check_write(const Rank& me, Span span) {
    check_access(me, span);
    if (span.at < me.first_writable && span.count > 0)
      throw Violation(Fault::forbidden, "writes what this rank must not write");
    if (me.send.state != State::idle && span.overlaps(me.send.event->from))
      throw Violation(Fault::pending, "writes what an unfinished send reads");
  }

  /// `out` may be `upper`, as in MPI_Reduce_local; otherwise it shares memory with neither operand.
  static void check_operands(const Rank& me, Span lower, Span upper, Span out) {
    check_access(me, lower);
    check_access(me, upper);
    check_write(me, out);
    if (lower.count != out.count || upper.count != out.count)
      throw Violation(Fault::length, "blocks of different length");
    if (lower.overlaps(out) || (upper.overlaps(out) && upper != out)) throw Violation(Fault::overlap, "blocks overlap");
  }

  double finish() const {
    double end = 0;
    std::string waiting;
    for (int r = 0; r < recording_.p; ++r) {
      const Rank& rank = ranks_[static_cast<std::size_t>(r)];
      if (rank.next != rank.end && waiting.size() < 400)
        waiting += (waiting.empty() ? "" : "; ") + words(recording_, r, rank.next->peer);
      end = std::max(end, rank.now);
    }
    if (!waiting.empty()) throw Violation(Fault::deadlock, "deadlock, waiting: " + waiting);
    for (const Rank& rank : ranks_)
      for (const Slot& slot : {rank.send, rank.receive})
        if (slot.state != State::idle)
          throw Violation(Fault::unfinished, words(recording_, static_cast<int>(&rank - ranks_.data()),
                                                   static_cast<int>(slot.event - rank.first)) +
                                                 ": never waited for");
    return end;
  }

  const Recording& recording_;
  Data& data_;
  double latency_, per_element_, combine_per_element_;
  std::vector<Rank> ranks_;
  std::vector<int> ready_;
};

}  // namespace mpigraft::model
