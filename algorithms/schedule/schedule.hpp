// SPDX-License-Identifier: MIT
// A rank's schedule: the steps that it carries out, with an address for every block.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/info.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::schedule {

// THE table of step kinds: what each does with the blocks A, B and C, the peer P, the message M, the page numbered N
// and its element E.
// clang-format off
#define MPIGRAFT_STEP_KINDS(X) \
  X(send, "A to rank P")  /* waits until A may be written */                                                \
  X(isend, "A to rank P, M")                                                                                \
  X(irecv, "A from rank P, M")                                                                              \
  X(wait, "M")                                                                                              \
  X(copy, "B := A")                                                                                         \
  X(combine, "C := A (+) B")  /* C may be B */                                                              \
  X(receive_and_combine, "C := A (+) B, A by M")  /* waits for M; C may be B; A is undefined */             \
  X(combine_and_receive, "C := A (+) B, B by M")  /* waits for M; C may be A; B is undefined */             \
  X(publish, "A as page N")                                                                                 \
  X(read, "A from page N of rank P, element E")                                                             \
  X(read_and_combine, "C := A (+) B, A from page N of rank P, element E")  /* C may be B; A is undefined */ \
  X(combine_and_read, "C := A (+) B, B from page N of rank P, element E")  /* C may be A; B is undefined */
// clang-format on

#define X(name, words) name,
enum class Kind : std::uint8_t { MPIGRAFT_STEP_KINDS(X) };
#undef X

enum class Memory : std::uint8_t { input, result, scratch };

/// An element of this rank's memory.
struct Address {
  Memory memory = Memory::scratch;
  std::int64_t at = 0;
  friend constexpr bool operator==(const Address&, const Address&) = default;
};

constexpr bool overlap(Address x, std::int64_t x_count, Address y, std::int64_t y_count) {
  return x.memory == y.memory && x.at < y.at + y_count && y.at < x.at + x_count;
}

/// Most messages of a rank that are under way at once.
inline constexpr int max_slots = 2 * max_ports;

struct Step {
  Kind kind;
  std::uint8_t slot = 0;  // of the message that is started or ended
  int peer = none;
  std::int64_t count = 0;  // elements of each block
  Address a = {}, b = {}, c = {};
  std::int64_t page = 0, from_page = 0;  // the page's number, and the first of its elements that is read
};

/// Rows of `row` elements. No block crosses a border between rows.
struct Scratch {
  std::int64_t row = 0;
  int rows = 0;
  constexpr std::int64_t count() const { return row * rows; }
};

struct Schedule {
  List<Step> steps;
  Scratch scratch;
};

/// "receive_and_combine  result[0..8) := scratch[0..8) (+) input[0..8), scratch[0..8) by message 0"
std::string words(const Step& step);

/// "scratch[0..8)"
std::string words(Address address, std::int64_t count);

}  // namespace mpigraft::schedule
