// SPDX-License-Identifier: MIT
#include "test/algorithms/schedule/oracle.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace mpigraft::proof {

using schedule::Address;
using schedule::Kind;
using schedule::Memory;
using schedule::Step;

namespace {

/// Stands for the content of one element.
using Symbol = std::uint64_t;

Symbol mixed(Symbol a, Symbol b) {
  Symbol x = (a + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ b;
  x = (x ^ x >> 31) * 0x94d049bb133111eb;
  return x ^ x >> 29;
}
Symbol input_symbol(std::int64_t i) { return mixed(1, static_cast<Symbol>(i)); }
constexpr Symbol undefined = 0;

class Oracle {
 public:
  Oracle(const Record& record, std::int64_t length, int ports, bool aliased)
      : record_(record), ports_(ports), aliased_(aliased), messages_(schedule::max_slots + 1) {
    for (const Record::Op& op : record.ops) {
      if (op.verb == Record::Verb::send) to_send_[op.peer].push_back(op.value);
      if (op.verb == Record::Verb::recv) to_receive_[op.peer].push_back(op.value);
      if (op.verb == Record::Verb::publish || op.verb == Record::Verb::read) pages_.push_back(op);
    }
    for (auto& memory : memory_) memory.resize(static_cast<std::size_t>(length));
    auto& input = memory_[aliased ? 1 : 0];
    for (std::size_t i = 0; i < input.size(); ++i) input[i].content = input_symbol(static_cast<std::int64_t>(i));
  }

  std::string judge(const schedule::Schedule& schedule) {
    memory_[2].assign(static_cast<std::size_t>(schedule.scratch.count()), {});
    row_ = std::max<std::int64_t>(1, schedule.scratch.row);
    for (const Step& step : schedule.steps)
      if (wrong_.empty()) carry_out(step);
    for (const Message& message : messages_)
      if (message.open) fail("a message is not waited for");
    for (const auto& [peer, values] : to_send_)
      if (sent_[peer] != values.size()) fail("not all is sent");
    for (const auto& [peer, values] : to_receive_)
      if (received_[peer] != values.size()) fail("not all is received");
    if (turned_ != pages_.size()) fail("not all pages are published and read");
    if (wrong_.empty()) check_results();
    return wrong_;
  }

 private:
  struct Cell {
    Symbol content = 0;
    int readers = 0;       // sends under way that read it
    bool arrives = false;  // a receive under way is to fill it
  };
  struct Message {
    bool is_send = false, open = false;
    schedule::Address at;
    std::vector<Symbol> content;  // of a receive
  };

  Symbol content_of(Value v, std::int64_t i) const {
    const Record::Base& base = record_.bases[static_cast<std::size_t>(v.base)];
    i += v.first;
    switch (base.origin) {
      case Record::Origin::input:
        return input_symbol(base.first + i);
      case Record::Origin::arrival:
        return mixed(mixed(2, static_cast<Symbol>(v.base)), static_cast<Symbol>(i));
      case Record::Origin::sum:
        return mixed(content_of(base.lower, i), content_of(base.upper, i));
      case Record::Origin::join:
        break;
    }
    for (const Value& value : record_.values_of(base)) {
      if (i < value.count) return content_of(value, i);
      i -= value.count;
    }
    return undefined;
  }

  std::vector<Symbol> content_of(Value v) const {
    std::vector<Symbol> content;
    for (std::int64_t i = 0; i < v.count; ++i) content.push_back(content_of(v, i));
    return content;
  }

  void check_results() {
    for (const Record::Result& result : record_.results)
      if (read({Memory::result, result.first}, result.value.count) != content_of(result.value))
        fail("a result is wrong");
    const auto& input = memory_[0];
    for (std::size_t i = 0; i < input.size() && !aliased_; ++i)
      if (input[i].content != input_symbol(static_cast<std::int64_t>(i))) fail("the input is not as it was");
  }

  void carry_out(const Step& step) {
    Message& message = messages_[step.slot];
    switch (step.kind) {
      case Kind::send:
        start(step, messages_.back(), true);
        return end(messages_.back());
      case Kind::isend:
        return start(step, message, true);
      case Kind::irecv:
        return start(step, message, false);
      case Kind::wait:
        return end(message);
      case Kind::copy:
        return write(step.b, read(step.a, step.count));
      case Kind::receive_and_combine:
      case Kind::combine_and_receive:
        end(message);
        break;
      case Kind::publish:
      case Kind::read:
        return turn_page(step);
      case Kind::read_and_combine:
      case Kind::combine_and_read:
        turn_page(step);
        break;
      case Kind::combine:
        break;
    }
    combine(step);
  }

  void turn_page(const Step& step) {
    if (turned_ == pages_.size()) return fail("a page that the text has not");
    const Record::Op& op = pages_[turned_++];
    if (op.page != step.page || op.value.count != step.count) fail("another page than that of the text");
    const std::vector<Symbol> content = content_of(op.value);
    if (step.kind == Kind::publish) {
      if (op.verb != Record::Verb::publish || read(step.a, step.count) != content) fail("something else is published");
    } else if (op.verb != Record::Verb::read || op.peer != step.peer || op.from_page != step.from_page) {
      fail("another page is read");
    } else {
      write(step.kind == Kind::combine_and_read ? step.b : step.a, content);
    }
  }

  void combine(const Step& step) {
    const bool from_above = step.kind == Kind::combine_and_receive || step.kind == Kind::combine_and_read;
    if (!from_above && step.c == step.a && step.count > 0) fail("an operator writes to its lower operand");
    const std::vector<Symbol> lower = read(step.a, step.count), upper = read(step.b, step.count);
    std::vector<Symbol> sum;
    for (std::size_t i = 0; i < lower.size(); ++i) sum.push_back(mixed(lower[i], upper[i]));
    const std::vector<Symbol> gone(lower.size(), undefined);
    if (step.kind == Kind::receive_and_combine || step.kind == Kind::read_and_combine) write(step.a, gone);
    if (from_above) write(step.b, gone);
    write(step.c, sum);
  }

  void start(const Step& step, Message& message, bool is_send) {
    if (message.open) return fail("the slot of a message is in use");
    auto& done = (is_send ? sent_ : received_)[step.peer];
    const auto& values = (is_send ? to_send_ : to_receive_)[step.peer];
    if (done == values.size() || values[done].count != step.count) return fail("a message that the text has not");
    const std::vector<Symbol> content = content_of(values[done++]);
    if (is_send && read(step.a, step.count) != content) fail("something else is sent");
    stay_in_row(step.a, step.count);
    message = {is_send, true, step.a, content};
    for (std::int64_t i = 0; i < step.count; ++i) {
      Cell& each = cell({step.a.memory, step.a.at + i});
      if (!is_send && (each.readers > 0 || each.arrives)) fail("a receive fills what is in use");
      is_send ? void(++each.readers) : void(each.arrives = true);
    }
    const auto under_way =
        std::ranges::count_if(messages_, [&](const Message& each) { return each.open && each.is_send == is_send; });
    if (under_way > ports_) fail("more messages than ports");
  }

  void end(Message& message) {
    if (!message.open) return fail("a wait for nothing");
    message.open = false;
    for (std::size_t i = 0; i < message.content.size(); ++i) {
      Cell& each = cell({message.at.memory, message.at.at + static_cast<std::int64_t>(i)});
      if (message.is_send)
        --each.readers;
      else
        each = {message.content[i], each.readers, false};
    }
  }

  void stay_in_row(Address at, std::int64_t count) {
    if (at.memory == Memory::scratch && count > 0 && at.at / row_ != (at.at + count - 1) / row_)
      fail("a block crosses a border between rows of scratch");
  }

  Cell& cell(Address address) {
    static Cell outside;
    auto& memory = memory_[static_cast<std::size_t>(address.memory)];
    if (address.at >= 0 && address.at < static_cast<std::int64_t>(memory.size()))
      return memory[static_cast<std::size_t>(address.at)];
    fail("outside memory");
    return outside;
  }

  std::vector<Symbol> read(Address from, std::int64_t count) {
    stay_in_row(from, count);
    std::vector<Symbol> content;
    for (std::int64_t i = 0; i < count; ++i) {
      const Cell& each = cell({from.memory, from.at + i});
      if (each.arrives) fail("something is read before it has come");
      content.push_back(each.content);
    }
    return content;
  }

  void write(Address to, const std::vector<Symbol>& content) {
    stay_in_row(to, static_cast<std::int64_t>(content.size()));
    for (std::size_t i = 0; i < content.size(); ++i) {
      Cell& each = cell({to.memory, to.at + static_cast<std::int64_t>(i)});
      if (each.arrives || each.readers > 0) fail("a message under way is written to");
      each.content = content[i];
    }
  }

  void fail(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  const Record& record_;
  const int ports_;
  const bool aliased_;
  std::map<int, std::vector<Value>> to_send_, to_receive_;  // per peer, in the record's order
  std::map<int, std::size_t> sent_, received_;
  std::vector<Record::Op> pages_;  // published and read, in the record's order
  std::size_t turned_ = 0;
  std::vector<Cell> memory_[3];
  std::int64_t row_ = 1;           // of scratch
  std::vector<Message> messages_;  // by slot; the last one is over in its own step
  std::string wrong_;
};

}  // namespace

std::string judged(const Record& record, std::int64_t length, int ports, bool aliased,
                   const schedule::Schedule& schedule) {
  return Oracle(record, length, ports, aliased).judge(schedule);
}

}  // namespace mpigraft::proof
