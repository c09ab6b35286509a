// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// The Data policy that tracks a symbolic value for every element of every rank's memory.
template <class Value>
class Symbolic {
 public:
  static constexpr std::uint32_t undefined = std::numeric_limits<std::uint32_t>::max();
  struct Cell {
    Value value = {};
    std::uint32_t element = undefined;  // of the vector
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  explicit Symbolic(const Recording& recording) : recording_(recording), cells_(recording.first_cell.back()) {
    for (int r = 0; r < recording.p; ++r) {
      const Span input = recording.input(r);
      const std::uint32_t first = first_element(recording.collective->input, r);
      for (std::uint32_t i = 0; recording.has_input(r) && i < input.count; ++i)
        *at(r, input.at + i) = {Value::of(r, r + 1), first + i};
    }
  }

  void send(int rank, int, int, Span from) const { check_all_defined(rank, from); }
  void move(int sender, int, Span from, int receiver, int, Span to) {
    for (std::uint32_t i = 0; i < to.count; ++i) *at(receiver, to.at + i) = *at(sender, from.at + i);
  }
  void received(int, int, int, Span) {}
  void publish(int rank, int, Span from) {
    check_all_defined(rank, from);
    published_.insert(published_.end(), at(rank, from.at), at(rank, from.at) + from.count);
  }
  void read(int rank, int, std::size_t, std::size_t first, Span to) {
    std::copy_n(published_.begin() + static_cast<std::ptrdiff_t>(first), to.count, at(rank, to.at));
  }
  void copy(int rank, int, Span from, Span to) {
    check_all_defined(rank, from);
    move(rank, 0, from, rank, 0, to);
  }
  void combine(int rank, int, Span lower, Span upper, Span out) {
    for (std::uint32_t i = 0; i < out.count; ++i) {
      check_defined(rank, lower.at + i);
      check_defined(rank, upper.at + i);
      const Cell a = *at(rank, lower.at + i), b = *at(rank, upper.at + i);
      Cell& joined = *at(rank, out.at + i);
      joined.element = a.element;
      if (!Value::combine(a.value, b.value, joined.value) || a.element != b.element)
        throw Violation(Fault::operands, "combines ", words_of(a), " with ", words_of(b));
    }
  }

  /// Throws a Violation unless every rank has the result that the collective defines for it.
  void check_results() const {
    for (int r = 0; r < recording_.p; ++r) {
      const Span result = recording_.result(r);
      const std::uint32_t first = first_element(recording_.collective->result, r);
      int owner = 0;
      for (std::uint32_t i = 0; recording_.has_result(r) && i < result.count; ++i) {
        owner = owner_of(first + i, owner);
        const RankRange sources = recording_.collective->sources_of(r, owner, recording_.p, recording_.params.root);
        const Cell expected{Value::of(sources.lo, sources.hi), first + i}, found = *at(r, result.at + i);
        if (found != expected)
          throw Violation(Fault::result, "rank ", r, ", result[", i, "]: expected ", words_of(expected), ", found ",
                          words_of(found));
      }
    }
  }

  /// The value at an address of a rank's memory.
  const Cell& cell(int rank, std::uint32_t address) const { return *at(rank, address); }

 private:
  static std::string words_of(const Cell& cell) {
    return cell.element == undefined ? "nothing"
                                     : "element " + std::to_string(cell.element) + " of " + cell.value.words();
  }

  Cell* at(int rank, std::uint32_t address) {
    return cells_.data() + recording_.first_cell[static_cast<std::size_t>(rank)] + address;
  }
  const Cell* at(int rank, std::uint32_t address) const {
    return cells_.data() + recording_.first_cell[static_cast<std::size_t>(rank)] + address;
  }

  void check_all_defined(int rank, Span span) const {
    for (std::uint32_t i = 0; i < span.count; ++i) check_defined(rank, span.at + i);
  }
  void check_defined(int rank, std::uint32_t address) const {
    if (at(rank, address)->element == undefined)
      throw Violation(Fault::undefined, "reads ", words(recording_, rank, {address, 1}), ", which holds nothing");
  }

  std::uint32_t first_element(const Operand& operand, int rank) const {
    return static_cast<std::uint32_t>(operand.first(rank, recording_.params.parts));
  }
  /// The rank whose part an element is in, not below rank `from`.
  int owner_of(std::uint32_t element, int from) const {
    if (recording_.collective->sources != Sources::of_owner) return none;
    while (element >= recording_.params.parts.first(from + 1)) ++from;
    return from;
  }

  const Recording& recording_;
  std::vector<Cell> cells_;
  std::vector<Cell> published_;  // all pages, as they were when published
};

}  // namespace mpigraft::model
