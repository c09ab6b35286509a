// SPDX-License-Identifier: MIT
// A rank's schedule: the steps that it carries out, with an address for every block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "algorithms/info.hpp"
#include "algorithms/program.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::schedule {

// THE table of step kinds. Columns: name; what it reads and writes of the blocks a, b and c; whether it starts a
// message (s), ends one (e) or both (se).
// clang-format off
#define MPIGRAFT_STEP_KINDS(X) \
  X(send,                "a",  "",   "se") /* a to peer, and waits until a may be written */                \
  X(isend,               "a",  "",   "s")  /* a to peer */                                                  \
  X(irecv,               "",   "a",  "s")  /* a from peer */                                                \
  X(wait,                "",   "",   "e")  /* the message in `slot` */                                      \
  X(copy,                "a",  "b",  "")   /* b := a */                                                     \
  X(combine,             "ab", "c",  "")   /* c := a (+) b; c may be b */                                   \
  X(receive_and_combine, "ab", "ac", "e")  /* waits for a, then c := a (+) b; c may be b; a is undefined */ \
  X(combine_and_receive, "ab", "bc", "e")  /* waits for b, then c := a (+) b; c may be a; b is undefined */ \
  X(publish,             "a",  "",   "")   /* a as page `page` */                                           \
  X(read,                "",   "a",  "")   /* a from peer's page */                                         \
  X(read_and_combine,    "b",  "ac", "")   /* reads a, then c := a (+) b; c may be b; a is undefined */     \
  X(combine_and_read,    "a",  "bc", "")   /* reads b, then c := a (+) b; c may be a; b is undefined */
// clang-format on

#define X(name, ...) name,
enum class Kind : std::uint8_t { MPIGRAFT_STEP_KINDS(X) };
#undef X

struct KindInfo {
  std::string_view name, reads, writes;
  bool starts, ends;
};
#define X(name, reads, writes, message) \
  KindInfo{#name, reads, writes, std::string_view(message).starts_with("s"), std::string_view(message).ends_with("e")},
inline constexpr std::array kinds{MPIGRAFT_STEP_KINDS(X)};
#undef X
constexpr const KindInfo& info_of(Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }

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

}  // namespace mpigraft::schedule
