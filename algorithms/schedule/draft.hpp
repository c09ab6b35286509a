// SPDX-License-Identifier: MIT
// What the passes of the compiler find out about a record, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "algorithms/program.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::schedule {

/// Times of a record: op i waits and announces at 2i, and does its work at 2i + 1.
using Time = int;
inline constexpr Time forever = std::numeric_limits<Time>::max();
constexpr Time start_of(std::size_t op) { return 2 * static_cast<Time>(op); }
constexpr Time work_of(std::size_t op) { return start_of(op) + 1; }

/// When the memory of a base is in use.
struct Life {
  bool needed = false;
  Time begin = 0;       // an arrival is announced or read, a sum is made, an input moves into the result
  Time end = -1;        // the last time at which any of it has to be there
  Time whole_end = -1;  // the same for all of it at once
  /// A message that reads it may be under way until then. A rank that needs the memory waits for that.
  Time under_way = -1;
  std::int64_t longest_part = 0;
};

/// The use of a part of a base.
struct PartUse {
  int base;
  std::int64_t first, count;
  Time time;
};

/// A place in the result, or in a group of bases that share scratch.
struct Home {
  static constexpr int nowhere = -2, result = -1;
  int group = nowhere;
  std::int64_t at = 0;  // in the result, or in the group
  friend constexpr bool operator==(const Home&, const Home&) = default;
};

/// Scratch that bases use one after the other.
struct ScratchGroup {
  std::int64_t count = 0;
  Time begin = forever, under_way = -1;  // as of a Life
  bool of_join = false;                  // values lie beside each other
  std::int64_t at = 0;                   // in scratch
};

/// The result's memory in cells, between the borders of all that may lie there.
struct Cells {
  List<std::int64_t> firsts;
  List<Time> ends;  // of what lies in the cell that begins at firsts[i]
};

/// Scratch in use.
struct Room {
  std::int64_t at, count;
  Time end;
};

struct Draft {
  const Record* record = nullptr;
  std::int64_t result_length = 0;  // elements of the rank's result
  int ports = 1;
  bool aliased = false;       // the input lies in the memory of the result,
  std::int64_t input_at = 0;  // from this element on

  List<Life> lives;             // of each base
  List<std::size_t> last_recv;  // before each op: the index of the last receive or read, or its own if there is none
  List<PartUse> part_uses;      // by base and first element
  List<Home> wishes;            // where a base would lie best
  List<Value> overwrites;       // of a sum: the operand in whose memory it would lie best, or `nothing`
  List<Home> homes;             // where it lies; an input: nowhere, or from its life's `begin` on in the result
  List<Home> births;            // where it comes into being, if it has to be copied to its home at once
  List<ScratchGroup> groups;
  Scratch scratch;
  Cells cells;              // while places are found
  List<Room> rooms;         // by address; while scratch is laid out,
  List<std::size_t> order;  // which goes through groups in this order

  /// Takes what the rank's text has written down. `in_place`: the input lies in the memory of the result.
  void begin(const Record& of, const AlgorithmInfo& info, const Program& program, bool in_place);

  const Record::Base& base(int i) const { return record->bases[static_cast<std::size_t>(i)]; }
  const Record::Base& base(Value v) const { return base(v.base); }
  Life& life(int i) { return lives[static_cast<std::size_t>(i)]; }
  const Life& life(int i) const { return lives[static_cast<std::size_t>(i)]; }
  bool is(Value v, Record::Origin origin) const { return base(v).origin == origin; }
  /// Where an input lies: in the input, or in the result if it is aliased.
  std::int64_t place_of(const Record::Base& input) const { return input_at + input.first; }
  /// True if `holds(value, place)` is true for each value of a join, one behind the other from place `at` on.
  template <class F>
  bool for_all_values(int join, std::int64_t at, F holds) const {
    return std::ranges::all_of(record->values_of(base(join)), [&](Value value) {
      const std::int64_t place = std::exchange(at, at + value.count);
      return holds(value, place);
    });
  }
  /// The first receive from op i on; the number of ops if there is none.
  std::size_t next_recv(std::size_t i) const;
  /// When what op i makes, or receives, begins to be there.
  Time begin_of(std::size_t i) const { return life(record->ops[i].value.base).begin; }
  /// True if `time` is the last one at which anybody needs any of v.
  bool ends(Value v, Time time) const;
};

/// Finds for each base whether anybody needs it, and when.
/// Afterwards: the memory of a base that is needed may be used for another one after `end` and before `begin`.
void find_lifetimes(Draft& draft);

/// Finds where each base would lie best. A result lies in the result; a sum lies where an operand lay that ends with
/// it. Afterwards: bases with one wish in scratch are never alive at the same time.
void wish_places(Draft& draft);

/// Gives each base a place. Afterwards: no two bases that are alive at the same time share memory, in the result or in
/// a group.
void find_places(Draft& draft);

/// Gives each group its scratch. Memory stays untouched while a message that reads it may be under way. Afterwards:
/// groups that are in use at the same time are apart, and each is in one row.
void lay_out_scratch(Draft& draft);

/// Writes down the steps. Receives are announced as early as the record allows; a message is waited for before its
/// memory is used otherwise, or its port is needed.
void emit_steps(const Draft& draft, List<Step>& steps);

}  // namespace mpigraft::schedule
