// SPDX-License-Identifier: MIT
// What a schedule has to do, found from the record alone: it is carried out on symbols, and each message and result is
// compared with what the equations say. Nothing of the compiler's passes is used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/program.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::proof {

/// Stands for the content of one element.
using Symbol = std::uint64_t;

class Oracle {
 public:
  Oracle(const Record& record, std::int64_t length, int ports, bool aliased);

  /// The first thing that is wrong with the schedule; empty if it is right.
  std::string judge(const schedule::Schedule& schedule);

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

  Symbol content_of(Value v, std::int64_t i) const;
  std::vector<Symbol> content_of(Value v) const;
  void carry_out(const schedule::Step& step);
  void start(const schedule::Step& step, Message& message, bool is_send);
  void end(Message& message);
  void turn_page(const schedule::Step& step);
  void combine(const schedule::Step& step);
  void check_results();

  void stay_in_row(schedule::Address at, std::int64_t count);
  Cell& cell(schedule::Address address);
  std::vector<Symbol> read(schedule::Address from, std::int64_t count);
  void write(schedule::Address to, const std::vector<Symbol>& content);
  void fail(const std::string& what);

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

}  // namespace mpigraft::proof
