// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Verb = Record::Verb;

class Emission {
 public:
  Emission(const Draft& draft, List<Step>& steps)
      : draft_(draft), record_(*draft.record), steps_(steps), uses_result_(uses_result(draft)) {}

  void run() {
    next_recv_ = draft_.next_recv(0);
    for (op_ = 0; op_ < record_.ops.size(); ++op_) {
      const Record::Op& op = record_.ops[op_];
      if (page_ && !joins_page(op)) read_page();
      while (next_recv_ < record_.ops.size() && draft_.begin_of(next_recv_) <= start_of(op_)) announce();
      if (op.verb == Verb::send)
        send(op);
      else if (op.verb == Verb::recv)
        receive(op);
      else if (op.verb == Verb::publish)
        publish(op);
      else if (op.verb == Verb::read)
        copy_inputs(), page_ = &op;
      else if (op.verb == Verb::round || draft_.life(op.value.base).needed)
        work(op);
    }
    read_page();
    while (receives_.count > 0) wait(receives_, 0);
    for (std::size_t i = 0; i < record_.results.size(); ++i)
      if (const Record::Result& result = record_.results[i]; i >= next_result_ || !is_free(result))
        copy(result.value, {Memory::result, result.first});
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

  static bool uses_result(const Draft& draft) {
    const auto is_result = [](const Home& home) { return home.group == Home::result; };
    return std::ranges::any_of(draft.homes, is_result) || std::ranges::any_of(draft.births, is_result);
  }

  Address address(Value v) const {
    if (v.count == 0) return {draft_.aliased ? Memory::result : Memory::input, 0};
    const Record::Base& base = draft_.base(v);
    const Home& home = draft_.homes[static_cast<std::size_t>(v.base)];
    const bool has_moved = home.group != Home::nowhere && work_of(op_) > draft_.life(v.base).begin;
    if (base.origin == Record::Origin::input && !has_moved)
      return {draft_.aliased ? Memory::result : Memory::input, draft_.place_of(base) + v.first};
    return address(home, v.first);
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
    if (op.verb == Verb::combine) combine(op.value), bring_home(op.value);
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

  void publish(const Record::Op& op) {
    copy_inputs();
    have(op.value);
    steps_.push_back({.kind = Kind::publish, .count = op.value.count, .a = address(op.value), .page = op.page});
  }
  /// Copies inputs that are results as far as the text has stated them: what was published is still in the caches, and
  /// the owner of a page to read may still be at work.
  void copy_inputs() {
    for (; next_result_ < record_.results.size() && record_.results[next_result_].stated <= op_; ++next_result_)
      if (const Record::Result& result = record_.results[next_result_]; is_free(result))
        copy(result.value, {Memory::result, result.first});
  }
  /// True if a result is an input elsewhere, and nothing else lies in its place at any time.
  bool is_free(const Record::Result& result) const {
    if (draft_.aliased || !draft_.is(result.value, Record::Origin::input)) return false;
    const Address place{Memory::result, result.first};
    for (std::size_t i = 0; i < draft_.homes.size() && uses_result_; ++i) {
      const std::int64_t count = draft_.base(static_cast<int>(i)).count;
      for (const Home& home : {draft_.homes[i], draft_.births[i]})
        if (home.group == Home::result && overlap(address(home, 0), count, place, result.value.count)) return false;
    }
    return true;
  }

  /// True if the op may combine the page while it is read.
  bool joins_page(const Record::Op& op) const {
    if (op.verb != Verb::combine || !draft_.life(op.value.base).needed) return false;
    const Record::Base& sum = draft_.base(op.value);
    return is_on_page(sum.lower) || is_on_page(sum.upper);
  }
  /// Reads the page that nobody has combined while it was read.
  void read_page() {
    if (!page_) return;
    const Value v = page_->value;
    Step step = step_of_page(Kind::read);
    step.count = v.count;
    step.a = birthplace(v);
    settle(step.a, v.count);
    steps_.push_back(step);
    bring_home(v);
  }
  Step step_of_page(Kind kind) {
    const Record::Op& read = *std::exchange(page_, nullptr);
    return {.kind = kind, .peer = read.peer, .page = read.page, .from_page = read.from_page};
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
    next_recv_ = draft_.next_recv(next_recv_ + 1);
  }

  /// Makes the sum of this op. An operand that is still to come is joined while it comes.
  void combine(Value sum) {
    const Value lower = draft_.base(sum).lower, upper = draft_.base(sum).upper;
    const Address a = address(lower), c = birthplace(sum);
    Address b = address(upper);
    const auto comes = [&](Value v) { return is_to_come(v) && is_whole(v) && draft_.ends(v, work_of(op_)); };
    Value arrival = nothing;
    if (c != a && comes(lower)) {
      have(upper);
      if (is_to_come(lower)) arrival = lower;
    } else if (c != b && comes(upper)) {
      have(lower);
      if (is_to_come(upper)) arrival = upper;
    }
    if (upper != arrival) have(upper);
    if (lower != arrival) have(lower);
    settle(c, sum.count);
    Step step{.kind = Kind::combine};
    if (arrival && is_on_page(arrival)) {
      settle(address(arrival), sum.count);
      step = step_of_page(arrival == lower ? Kind::read_and_combine : Kind::combine_and_read);
      if (arrival == lower && b.memory == Memory::input && c.memory == Memory::result) {
        steps_.push_back({.kind = Kind::copy, .count = sum.count, .a = b, .b = c});  // while the owner is still at work
        b = c;
      }
    } else if (arrival) {
      step.kind = arrival == lower ? Kind::receive_and_combine : Kind::combine_and_receive;
      step.slot = end(receives_, awaited(arrival.base));
    }
    step.count = sum.count;
    step.a = a, step.b = b, step.c = c;
    steps_.push_back(step);
  }
  bool is_to_come(Value v) const { return awaited(v.base) >= 0 || is_on_page(v); }
  bool is_whole(Value v) const { return v.count == draft_.base(v).count; }
  /// True if v is yet to be read.
  bool is_on_page(Value v) const { return page_ && page_->value == v; }

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
    if (page_ && page_->value.base == v.base) read_page();
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

  const Draft& draft_;
  const Record& record_;
  List<Step>& steps_;
  std::size_t op_ = 0, next_recv_ = 0;  // the current op, and the first receive that is not announced
  Messages sends_{}, receives_{};
  std::size_t next_result_ = 0;       // that copy_inputs() has not seen
  const bool uses_result_;            // while the schedule runs
  const Record::Op* page_ = nullptr;  // a page that the next op may combine while it is read
  unsigned slots_ = 0;                // in use
};

}  // namespace

void emit_steps(const Draft& draft, List<Step>& steps) { Emission(draft, steps).run(); }

}  // namespace mpigraft::schedule
