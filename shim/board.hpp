// SPDX-License-Identifier: MIT
// The protocol of pages in shared memory, without the memory: every rank has a board of a few sheets, which it alone
// writes and all read. What is shared besides the text are words that only grow, each written by one rank:
//   turn  of a sheet: what it holds
//   done  of a rank: it reads nothing from before any more
// `Word` is std::atomic<Position>; test/proof records another one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "algorithms/transport.hpp"

namespace mpigraft {

/// A step of a call of a communicator, with calls counted from 1 on: 2^44 of them, and ranks are never far apart.
using Position = std::uint64_t;
inline constexpr int step_bits = 20;
constexpr Position position_of(std::uint64_t call, std::int64_t step) {
  return call << step_bits | static_cast<Position>(step);
}
constexpr bool before(Position a, Position b) { return static_cast<std::int64_t>(a - b) < 0; }

/// All zero is the beginning.
template <class Word, int n>
struct Board {
  static constexpr int sheets = n;
  /// Short text is on the line of its word.
  struct alignas(64) Sheet {
    Word turn;
    std::int32_t tag;
    std::int32_t bytes;
    char text[page_bytes + 48];
  };
  alignas(64) Word done;
  Sheet sheet[n];
};

/// One rank's end of all boards. A rank's positions never go down. What waits is `wait(word, position, rank)`: it
/// returns what the word holds once that is not before the position, or once its rank has gone on without having come
/// so far.
template <class Board>
class Boards {
 public:
  Boards(Board* boards, int size, int own) : boards_(boards), size_(size), own_(own) {}

  Position entered() const { return entered_; }
  /// Nothing from before `at` is read any more.
  void enter(Position at) {
    if (at == entered_) return;
    entered_ = at;
    boards_[own_].done.store(at, std::memory_order_release);
  }

  /// `write(sheet)` writes what all may read from now on.
  template <class Wait, class Write>
  void publish(Position at, Wait wait, Write write) {
    enter(at);
    Position& held = held_[sheet_number(at)];
    if (held != 0 && !before(held, all_done_)) wait_for_readers(held, wait);
    auto& sheet = boards_[own_].sheet[sheet_number(at)];
    write(sheet);
    held = at;
    sheet.turn.store(at, std::memory_order_release);
  }

  /// `read(sheet)` reads what `owner` has published; false where it never will.
  template <class Wait, class Read>
  bool read(int owner, Position at, Wait wait, Read read) {
    enter(at);
    auto& sheet = boards_[owner].sheet[sheet_number(at)];
    if (wait(sheet.turn, at, owner) != at) return false;
    read(sheet);
    return true;
  }

 private:
  /// Neighbours, steps as well as calls of one step, take one sheet after the other.
  static std::size_t sheet_number(Position at) { return (at + (at >> step_bits)) % Board::sheets; }

  /// Until nobody reads any more what was published at `held`.
  template <class Wait>
  void wait_for_readers(Position held, Wait wait) {
    all_done_ = entered_;
    for (int rank = 0; rank < size_; ++rank) {
      if (rank == own_) continue;
      const Position done = wait(boards_[rank].done, held + 1, rank);
      if (before(done, all_done_)) all_done_ = done;
    }
  }

  Board* boards_;
  int size_, own_;
  Position entered_ = 0;
  Position all_done_ = 0;                       // no other rank reads anything from before
  std::array<Position, Board::sheets> held_{};  // what this rank's sheets hold
};

}  // namespace mpigraft
