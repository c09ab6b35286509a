// SPDX-License-Identifier: MIT
// The protocol of pages in shared memory, without the memory. Every rank has a broadcast buffer, which it alone writes
// and all ranks read. A broadcast buffer has many small slots, and lines for payload that is too long for a slot.
// Besides the payload, ranks share words that never decrease. One rank writes each of them:
//   turn  of a slot: the position of the page in it
//   done  of a rank: the rank no longer reads positions below this one
// `Word` is std::atomic<Position> and `Line` has 64 bytes; test/shim/memory puts others in their place and records
// them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "algorithms/transport.hpp"

namespace mpigraft::memory {

/// A step of a call of a communicator. Calls are counted from 1 to 2^44 - 1. Differences of positions are far from
/// overflow, because ranks are never far apart.
using Position = std::uint64_t;
inline constexpr int step_bits = 20;
constexpr Position position_of(std::uint64_t call, std::int64_t step) {
  return call << step_bits | static_cast<Position>(step);
}
constexpr bool before(Position a, Position b) { return static_cast<std::int64_t>(a - b) < 0; }

inline constexpr int line_bytes = 64, slot_payload_bytes = 112;
struct alignas(line_bytes) PayloadLine {
  char payload[line_bytes];
};

/// One rank's broadcast buffer, all zero at first. Its lines form `parts` parts, and a writer waits for its readers
/// only when it begins a part. The longest payload fills one part.
template <class Word, class Line, int n, int parts, int lines_of_part>
struct BroadcastBuffer {
  static_assert((n & (n - 1)) == 0, "slots are numbered by bits of a position");
  static constexpr int slots = n;
  static constexpr int payload_parts = parts, part_lines = lines_of_part, lines = parts * lines_of_part;

  /// Two cache lines. Short payload lies beside the word that announces it, so a reader fetches both at once.
  struct alignas(2 * line_bytes) Slot {
    Word turn;
    std::int32_t tag;
    std::int32_t bytes;
    union {
      char payload[slot_payload_bytes];
      std::int32_t line;  // the line in which longer payload begins
    };
  };
  alignas(2 * line_bytes) Word done;
  Slot slot[n];
  Line line[lines];

  static constexpr bool is_long(std::int64_t bytes) { return bytes > slot_payload_bytes; }
  /// The payload of a slot of this broadcast buffer.
  char* payload_of(Slot& held) { return is_long(held.bytes) ? line[held.line].payload : held.payload; }
};

/// One rank's end of all broadcast buffers. A rank's positions never decrease. `wait(word, position, rank)` blocks
/// until word >= position, or until the rank has moved past the position; it returns the word. A `look` of the same
/// form returns the word at once.
template <class BroadcastBuffer>
class BroadcastBuffers {
 public:
  using Slot = typename BroadcastBuffer::Slot;

  BroadcastBuffers(BroadcastBuffer* buffers, int size, int rank) : buffers_(buffers), size_(size), rank_(rank) {}

  Position entered() const { return entered_; }
  /// Declares that this rank no longer reads positions before `at`.
  void enter(Position at) {
    if (at == entered_) return;
    entered_ = at;
    buffers_[rank_].done.store(at, std::memory_order_release);
  }

  /// Publishes a page at position `at` for all ranks to read. `write(slot)` writes `bytes` bytes of payload to the
  /// broadcast buffer's payload_of(slot).
  void publish(Position at, std::int64_t bytes, auto wait, auto write) {
    make_room(at, bytes, wait);
    const unsigned turn = turn_of(at);
    auto& slot = buffers_[rank_].slot[slot_of(turn)];
    slot.bytes = static_cast<std::int32_t>(bytes);
    if (BroadcastBuffer::is_long(bytes)) slot.line = take_lines(at, lines_for(bytes));
    write(slot);
    held_[turn] = at;
    slot.turn.store(at, std::memory_order_release);
  }

  /// Returns true if there is room, so that publish() does not wait. With a `look` it does not wait either.
  bool make_room(Position at, std::int64_t bytes, auto wait) {
    enter(at);
    if (!free_slot(turn_of(at), wait)) return false;
    return !BroadcastBuffer::is_long(bytes) || lines_for(bytes) <= lines_left_ || begin_part(wait);
  }

  /// Waits for the page that `owner` publishes at position `at`, and reads it by read(slot). Returns false if `owner`
  /// never publishes it.
  bool read(int owner, Position at, auto wait, auto read) {
    if (position_in_slot(owner, at, wait) != at) return false;
    read(buffers_[owner].slot[slot_of(turn_of(at))]);
    return true;
  }
  /// The position of the page in the slot where `owner` publishes that of `at`, once it is there or, with a `look`,
  /// now.
  Position position_in_slot(int owner, Position at, auto wait) {
    enter(at);
    return wait(buffers_[owner].slot[slot_of(turn_of(at))].turn, at, owner);
  }

 private:
  /// Neighbouring positions have neighbouring turns: steps of one call, and calls that have one step each.
  static unsigned turn_of(Position at) {
    return static_cast<unsigned>(at + (at >> step_bits)) % BroadcastBuffer::slots;
  }
  /// Slots of neighbouring turns are far apart: a reader's processor that prefetches the next slot would take its line
  /// from the rank that writes it.
  static unsigned slot_of(unsigned turn) { return turn * apart % BroadcastBuffer::slots; }

  static int lines_for(std::int64_t bytes) { return static_cast<int>((bytes + line_bytes - 1) / line_bytes); }

  /// Takes n lines and returns the first of them.
  int take_lines(Position at, int n) {
    if (n > lines_left_) lines_left_ = BroadcastBuffer::part_lines;  // stays in bounds even if a reader's word is wrong
    last_of_part_[part_] = at;
    lines_left_ -= n;
    return static_cast<int>(part_ + 1) * BroadcastBuffer::part_lines - lines_left_ - n;
  }

  /// Begins the first free part. If the readers keep up, its lines are still in the ranks' caches. Returns false if
  /// none is free.
  bool begin_part(auto wait) {
    const auto is_free = [this](Position last) { return last == 0 || before(last, all_done_); };
    const auto first_free = [&] { return std::ranges::find_if(last_of_part_, is_free); };
    wait_for_readers(all_done_, wait);
    if (first_free() == last_of_part_.end()) {
      auto sorted = last_of_part_;
      std::ranges::nth_element(sorted, sorted.begin() + sorted.size() / 2, before);
      wait_for_readers(sorted[sorted.size() / 2] + 1, wait);
    }
    const auto free = first_free();
    if (free == last_of_part_.end()) return false;
    part_ = static_cast<std::size_t>(free - last_of_part_.begin());
    lines_left_ = BroadcastBuffer::part_lines;
    return true;
  }

  /// Waits until no rank reads the turn's last page any more. If it has to wait, it waits until half of all slots are
  /// free, so that ranks that share a core or a line take turns less often. Returns true if the slot is free.
  bool free_slot(unsigned turn, auto wait) {
    const Position held = held_[turn], half = held_[(turn + BroadcastBuffer::slots / 2) % BroadcastBuffer::slots];
    if (held == 0 || before(held, all_done_)) return true;
    wait_for_readers((before(half, held) ? held : half) + 1, wait);
    return before(held, all_done_);
  }

  /// Waits until no other rank reads positions before `at`, which is not after `entered_`.
  void wait_for_readers(Position at, auto wait) {
    Position all = entered_;
    for (int rank = 0; rank < size_; ++rank) {
      if (rank == rank_) continue;
      const Position done = wait(buffers_[rank].done, at, rank);
      if (before(done, all)) all = done;
    }
    all_done_ = all;
  }

  static constexpr unsigned apart = 67;  // odd, so that every slot has a turn

  BroadcastBuffer* buffers_;
  int size_, rank_;
  Position entered_ = 0;
  Position all_done_ = 0;                                // no other rank reads positions before this one
  std::array<Position, BroadcastBuffer::slots> held_{};  // by turn: the position of its last page
  std::array<Position, BroadcastBuffer::payload_parts>
      last_of_part_{};    // by part: the last position whose payload is in it
  std::size_t part_ = 0;  // the part that payload now goes to
  int lines_left_ = 0;    // lines of that part that are not taken
};

}  // namespace mpigraft::memory
