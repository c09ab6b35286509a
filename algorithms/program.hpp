// SPDX-License-Identifier: MIT
// The language of algorithms. A text says what its rank sends, receives and combines, in the order of the paper, as
// equations on values. It never says where bytes lie, when to wait or which buffer is free: algorithms/schedule does.
//
// Sends and receives that stand next to each other happen at the same time. Control flow is oblivious: no branch on
// data, no polling, no wildcard. Nothing runs while a text is read; it only writes itself down.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/parts.hpp"
#include "algorithms/patterns/blocks.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

namespace two_trees {
class AnyRoot;
}

/// The only memory of texts and schedules, so that whoever runs them can set some aside for when a process has no more.
template <class T>
using List = std::pmr::vector<T>;

/// Consecutive elements that a rank has; immutable. Operations make new values.
struct Value {
  int base = none;         // what they are a part of; `none`: `nothing`, the value that no rank sends
  std::int64_t first = 0;  // in the base
  std::int64_t count = 0;

  constexpr explicit operator bool() const { return base != none; }
  friend constexpr bool operator==(const Value&, const Value&) = default;
};
inline constexpr Value nothing{};

/// Elements [first, first + count) of v.
constexpr Value part(Value v, std::int64_t first, std::int64_t count) {
  return v ? Value{v.base, v.first + first, count} : nothing;
}

/// Which messages overlap with a rank's work.
enum class Overlap : std::uint8_t {
  none,   // none: each is waited for in its place
  sends,  // a send is waited for when the next one begins
  all,    // the same, and a receive is announced when the one before it has come, as a pipeline needs it
};

/// What a text has written down.
struct Record {
  enum class Origin : std::uint8_t { input, arrival, sum, join };

  /// Elements that come into being at once.
  struct Base {
    Origin origin;
    int values = 0;         // join: how many
    int before = none;      // sum: the one before it that has the same base below
    int last_above = none;  // the last sum that has this base below
    std::int64_t count = 0;
    std::int64_t first = 0;        // input: of the rank's input; join: its first value in `joined`
    Value lower = {}, upper = {};  // sum
  };
  enum class Verb : std::uint8_t { send, recv, publish, read, combine, join, round };
  struct Op {
    Verb verb;
    Overlap overlap = Overlap::none;
    int peer = none;             // send, recv; read: the owner
    Value value = {};            // what is sent or published, or the whole new base
    std::int64_t page = 0;       // publish, read: its number
    std::int64_t from_page = 0;  // read: the first element
  };
  struct Result {
    Value value;
    std::int64_t first;  // in the rank's result
    std::size_t stated;  // how many ops came before
  };

  List<Base> bases;
  List<Op> ops;
  List<Value> joined;
  List<Result> results;
  Overlap overlap = Overlap::none;            // from here on
  bool without_elements = false;              // the whole vector: then its messages tell only that a rank has come
  std::shared_ptr<two_trees::AnyRoot> trees;  // of reduce/two_tree; kept, because those of all ranks are the same

  /// The values of a join; none of any other base.
  std::span<const Value> values_of(const Base& join) const {
    if (join.values == 0) return {};
    return {joined.data() + join.first, static_cast<std::size_t>(join.values)};
  }
  void clear() {
    bases.clear();
    ops.clear();
    joined.clear();
    results.clear();
    overlap = Overlap::none;
  }
};

/// Some ranks, numbered from 0, of which this is one; a handle on what its text writes down.
class Group {
 public:
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Sends v; nothing happens if v is `nothing` or if the group has no rank `to`. No message goes either way where v
  /// has no elements, unless the whole vector has none.
  void send(Value v, std::int64_t to) const;
  /// Receives `count` elements; `nothing` if the group has no rank `from`.
  Value recv(std::int64_t from, std::int64_t count) const;
  /// Sends and receives a message without elements, so that ranks can wait for each other.
  void signal(std::int64_t to) const;
  void await(std::int64_t from) const;
  /// Lets all ranks read v as this rank's page number `page`, in memory that they share. A rank's pages are numbered
  /// from 0. It reads nothing of a number below that of the page before, because that memory is used again.
  void publish(Value v, std::int64_t page) const;
  /// Elements [first, first + count) of a page of rank `owner`, once it is published.
  Value read(int owner, std::int64_t page, std::int64_t count, std::int64_t first = 0) const;
  /// lower (+) upper. `nothing` is the neutral element. The sum of the same two is the same value, unless several
  /// others of that lower base came in between.
  Value combine(Value lower, Value upper) const;
  /// One value of several, one behind the other.
  Value join(std::span<const Value> values) const;
  /// Elements [first, first + count) of what these values are one behind the other.
  Value part_of(std::span<const Value> values, std::int64_t first, std::int64_t count) const;
  /// Begins a round: receives before it are over, and messages before it do not happen together with those after it. It
  /// means nothing where all messages overlap.
  void begin_round() const;
  /// States which messages from here on overlap with the work between them.
  void overlap(Overlap overlap) const { record_->overlap = overlap; }

  /// A value without elements, such as one to publish so that ranks can wait for each other.
  Value token() const { return add({.origin = Record::Origin::input}); }

  /// The ranks rank_of(0), ..., rank_of(size - 1) of this group, of which this one is rank_of(rank).
  Group among(int size, int rank, std::function<int(int)> rank_of) const;
  /// All ranks, numbered from `root` on; after the last comes the first.
  Group from(int root) const;

 protected:
  Group(Record& record, int rank, int size) : record_(&record), rank_(rank), size_(size) {}

  Record& record() const { return *record_; }

 private:
  int outer(std::int64_t rank) const {
    const int i = static_cast<int>(rank < size_ - first_ ? rank + first_ : rank + first_ - size_);
    return rank_of_ ? rank_of_(i) : i;
  }
  bool has(std::int64_t rank) const { return rank >= 0 && rank < size_; }
  Value add(const Record::Base& base) const;
  void message(Record::Verb verb, std::int64_t peer, Value v) const;
  Value same_sum(Value lower, Value upper) const;

  Record* record_;
  int rank_, size_;
  int first_ = 0;                         // the one that is numbered 0 here
  std::function<int(int)> rank_of_ = {};  // empty: ranks are those of the communicator
};

/// All ranks, and one rank's input and result.
class Program : public Group {
 public:
  /// `length`: elements of the vector.
  Program(Record& record, int rank, int size, std::int64_t length, const Params& params)
      : Group(record, rank, size), length_(length), params_(params) {
    record.clear();
    record.without_elements = length == 0;
  }

  std::int64_t length() const { return length_; }
  const Params& params() const { return params_; }
  /// The parts of the vector, one for each rank.
  Parts parts() const { return parts_of(size(), length_, params_); }

  /// Elements of this rank's input; the whole vector if none are named.
  Value input(std::int64_t first, std::int64_t count);
  Value input() { return input(0, length_); }
  /// All of the input where that is the rank's part of the vector.
  Value input_part() { return input(0, parts().count(rank())); }
  /// Part i of it, as `cut` divides it: Blocks, Parts or the like.
  template <class Cut, std::integral I>
  Value input(const Cut& cut, I i) requires(!std::integral<Cut>) {
    return input(cut.first(i), cut.count(i));
  }
  /// Cuts the vector into b segments, which follow one another through the ranks.
  Blocks segments(std::int64_t b);

  /// For reduce/two_tree, whose trees are those of all ranks: what its text has made when it was read last.
  std::shared_ptr<two_trees::AnyRoot>& kept_trees() { return record().trees; }

  /// States that v is this rank's result, from element `first` on. `nothing` states nothing.
  void result(Value v, std::int64_t first = 0);

 private:
  const std::int64_t length_;
  const Params& params_;
};

}  // namespace mpigraft
