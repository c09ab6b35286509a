// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Verb = Record::Verb;

class Emission {
 public:
  Emission(const Draft& draft, List<Step>& steps) : draft_(draft), record_(*draft.record), steps_(steps) {}

  void run() {
    next_recv_ = find_recv(0);
    for (op_ = 0; op_ < record_.ops.size(); ++op_) {
      while (next_recv_ < record_.ops.size() && begin_of(next_recv_) <= start_of(op_)) announce();
      const Record::Op& op = record_.ops[op_];
      if (op.verb == Verb::send)
        send(op);
      else if (op.verb == Verb::recv)
        receive(op);
      else if (op.verb == Verb::round || draft_.life(op.value.base).needed)
        work(op);
    }
    while (receives_.count > 0) wait(receives_, 0);
    for (const auto& [value, first] : record_.results) copy(value, {Memory::result, first});
    while (sends_.count > 0) wait(sends_, 0);
  }

 private:
  /// A message under way, and its memory.
  struct Message {
    int base;
    std::uint8_t slot;
    Address at;
    std::int64_t count;
  };
  /// The messages under way in one direction, in order.
  struct Messages {
    std::array<Message, max_ports> list;
    int count = 0;
  };

  Address address(Value v) const {
    const Record::Base& base = draft_.base(v);
    if (base.origin == Record::Origin::input)
      return {draft_.aliased ? Memory::result : Memory::input, base.first + v.first};
    return address(draft_.homes[static_cast<std::size_t>(v.base)], v.first);
  }
  Address address(const Home& home, std::int64_t first) const {
    if (home.group == Home::result) return {Memory::result, home.at + first};
    return {Memory::scratch, draft_.groups[static_cast<std::size_t>(home.group)].at + home.at + first};
  }
  Address birthplace(Value v) const {
    const Home& birth = draft_.births[static_cast<std::size_t>(v.base)];
    return birth.group == Home::nowhere ? address(v) : address(birth, v.first);
  }

  void work(const Record::Op& op) {
    while (op.overlap == Overlap::none && sends_.count > 0) wait(sends_, 0);
    while (op.verb == Verb::round && receives_.count > 0) wait(receives_, 0);
    if (op.verb == Verb::combine) combine(op.value);
    if (op.verb == Verb::combine) bring_home(op.value);
    if (op.verb == Verb::join) join(op.value);
  }

  void receive(const Record::Op& op) {
    if (op.overlap == Overlap::all || is_unused(op.value)) have(op.value);
    bring_home(op.value);
  }
  /// Copies a value from where it came into being, if that is not its home.
  void bring_home(Value v) {
    if (const Address from = birthplace(v); from != address(v)) copy(v, from, address(v));
  }

  void send(const Record::Op& op) {
    have(op.value);
    Step step{.kind = Kind::send, .peer = op.peer, .count = op.value.count, .a = address(op.value)};
    if (sends_.count == draft_.ports) wait(sends_, 0);
    if (op.overlap != Overlap::none || draft_.ports > 1) {
      step.kind = Kind::isend;
      step.slot = start(sends_, op.value);
    }
    steps_.push_back(step);
  }

  /// Announces the next receive.
  void announce() {
    const Record::Op& op = record_.ops[next_recv_];
    const Value value = op.value;
    if (receives_.count == draft_.ports) wait(receives_, 0);
    const Address into = birthplace(value);
    settle(into, value.count);
    const std::uint8_t slot = start(receives_, value);
    steps_.push_back({.kind = Kind::irecv, .slot = slot, .peer = op.peer, .count = value.count, .a = into});
    next_recv_ = find_recv(next_recv_ + 1);
  }

  /// Makes the sum of this op. An operand that is still to come is joined while it comes.
  void combine(Value sum) {
    const Value lower = draft_.base(sum).lower, upper = draft_.base(sum).upper;
    const Address a = address(lower), b = address(upper), c = birthplace(sum);
    const auto comes = [&](Value v) { return awaited(v.base) >= 0 && draft_.ends(v, work_of(op_)); };
    Step step{.kind = Kind::combine, .count = sum.count, .a = a, .b = b, .c = c};
    if (c != a && comes(lower)) {
      have(upper);
      if (awaited(lower.base) >= 0) step.kind = Kind::receive_and_combine;
    } else if (c != b && comes(upper)) {
      have(lower);
      if (awaited(upper.base) >= 0) step.kind = Kind::combine_and_receive;
    }
    if (step.kind != Kind::combine_and_receive) have(upper);
    if (step.kind != Kind::receive_and_combine) have(lower);
    settle(c, sum.count);
    if (step.kind != Kind::combine)
      step.slot = end(receives_, awaited((step.kind == Kind::receive_and_combine ? lower : upper).base));
    steps_.push_back(step);
  }

  void join(Value joined) {
    Address to = address(joined);
    for (const Value& value : record_.values_of(draft_.base(joined))) {
      copy(value, to);
      to.at += value.count;
    }
  }

  void copy(Value v, Address to) { copy(v, address(v), to); }
  void copy(Value v, Address from, Address to) {
    if (from == to || v.count == 0) return;
    have(v);
    settle(to, v.count);
    if (!steps_.empty() && follows(steps_.back(), from, to, v.count))
      steps_.back().count += v.count;
    else
      steps_.push_back({.kind = Kind::copy, .count = v.count, .a = from, .b = to});
  }
  /// True if the copy goes on where a step ends, in the same rows of scratch.
  bool follows(const Step& step, Address from, Address to, std::int64_t count) const {
    return step.kind == Kind::copy && !overlap(step.b, step.count, from, count) &&
           goes_on(step.a, step.count, from, count) && goes_on(step.b, step.count, to, count);
  }
  bool goes_on(Address begin, std::int64_t length, Address next, std::int64_t count) const {
    if (next != Address{begin.memory, begin.at + length}) return false;
    return next.memory != Memory::scratch ||
           begin.at / draft_.scratch.row == (next.at + count - 1) / draft_.scratch.row;
  }

  /// Waits until v is there.
  void have(Value v) {
    if (const int i = awaited(v.base); i >= 0) wait(receives_, i);
    if (draft_.is(v, Record::Origin::join))
      for (const Value& value : record_.values_of(draft_.base(v))) have(value);
  }
  /// Waits until nothing that is under way reads this memory.
  void settle(Address to, std::int64_t count) {
    for (int i = 0; i < sends_.count;) {
      const Message& sent = sends_.list[static_cast<std::size_t>(i)];
      overlap(sent.at, sent.count, to, count) ? wait(sends_, i) : void(++i);
    }
  }
  int awaited(int base) const {
    for (int i = 0; i < receives_.count; ++i)
      if (receives_.list[static_cast<std::size_t>(i)].base == base) return i;
    return -1;
  }

  std::uint8_t start(Messages& messages, Value v) {
    std::uint8_t slot = 0;
    while (slots_ & 1U << slot) ++slot;
    slots_ |= 1U << slot;
    messages.list[static_cast<std::size_t>(messages.count++)] = {v.base, slot, address(v), v.count};
    return slot;
  }
  std::uint8_t end(Messages& messages, int i) {
    const auto at = messages.list.begin() + i;
    const std::uint8_t slot = at->slot;
    std::move(at + 1, messages.list.begin() + messages.count--, at);
    slots_ &= ~(1U << slot);
    return slot;
  }
  void wait(Messages& messages, int i) { steps_.push_back({.kind = Kind::wait, .slot = end(messages, i)}); }

  /// True if nobody will wait for this arrival because of what it holds.
  bool is_unused(Value v) const { return v.count == 0 || draft_.life(v.base).end == work_of(op_); }
  Time begin_of(std::size_t op) const { return draft_.life(record_.ops[op].value.base).begin; }
  std::size_t find_recv(std::size_t i) const {
    while (i < record_.ops.size() && record_.ops[i].verb != Verb::recv) ++i;
    return i;
  }

  const Draft& draft_;
  const Record& record_;
  List<Step>& steps_;
  std::size_t op_ = 0, next_recv_ = 0;  // the current op, and the first receive that is not announced
  Messages sends_{}, receives_{};
  unsigned slots_ = 0;  // in use
};

}  // namespace

void emit_steps(const Draft& draft, List<Step>& steps) { Emission(draft, steps).run(); }

}  // namespace mpigraft::schedule
