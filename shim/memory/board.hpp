// SPDX-License-Identifier: MIT
// The protocol of pages in shared memory, without the memory. Every rank has a board, which it alone writes and all
// read: many small cells, and lines for the text that is too long for a cell. Besides the text, ranks share words
// that only grow, each written by one rank:
//   turn  of a cell: the position of what it holds
//   done  of a rank: positions below this one are no longer read
// `Word` is std::atomic<Position> and `Line` 64 bytes; test/proof records other ones.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "algorithms/transport.hpp"

namespace mpigraft::memory {

/// A step of a call of a communicator, with calls counted from 1 on: 2^44 of them, and ranks are never far apart.
using Position = std::uint64_t;
inline constexpr int step_bits = 20;
constexpr Position position_of(std::uint64_t call, std::int64_t step) {
  return call << step_bits | static_cast<Position>(step);
}
constexpr bool before(Position a, Position b) { return static_cast<std::int64_t>(a - b) < 0; }

inline constexpr int line_bytes = 64, page_text_bytes = 112;
struct alignas(line_bytes) TextLine {
  char text[line_bytes];
};

/// All zero is the beginning. A writer waits for its readers when it begins another one of the `parts` of its lines;
/// the longest text is as long as a part.
template <class Word, class Line, int n, int parts, int lines_of_part>
struct Board {
  static_assert((n & (n - 1)) == 0, "cells are numbered by bits of a position");
  static constexpr int cells = n;
  static constexpr int text_parts = parts, part_lines = lines_of_part, lines = parts * lines_of_part;

  /// Two cache lines: short text comes with its word.
  struct alignas(2 * line_bytes) Cell {
    Word turn;
    std::int32_t tag;
    std::int32_t bytes;
    union {
      char text[page_text_bytes];
      std::int32_t line;  // where longer text begins
    };
  };
  alignas(2 * line_bytes) Word done;
  Cell cell[n];
  Line line[lines];

  static constexpr bool is_long(std::int64_t bytes) { return bytes > page_text_bytes; }
  /// Where the text of one of these cells is.
  char* text_of(Cell& held) { return is_long(held.bytes) ? line[held.line].text : held.text; }
};

/// One rank's end of all boards. A rank's positions never go down. `wait(word, position, rank)` blocks until the word
/// is not before the position, or until the rank has gone on without having come so far; it returns the word.
template <class Board>
class Boards {
 public:
  using Cell = typename Board::Cell;

  Boards(Board* boards, int size, int own) : boards_(boards), size_(size), own_(own) {}

  Position entered() const { return entered_; }
  /// Nothing from before `at` is read any more.
  void enter(Position at) {
    if (at == entered_) return;
    entered_ = at;
    boards_[own_].done.store(at, std::memory_order_release);
  }

  /// `write(cell)` writes `bytes` of text, which all may read from now on, to the board's `text_of(cell)`.
  template <class Wait, class Write>
  void publish(Position at, std::int64_t bytes, Wait wait, Write write) {
    enter(at);
    const unsigned turn = turn_of(at);
    free_cell(turn, wait);
    auto& cell = boards_[own_].cell[cell_of(turn)];
    cell.bytes = static_cast<std::int32_t>(bytes);
    if (Board::is_long(bytes)) cell.line = take_lines(at, bytes, wait);
    write(cell);
    held_[turn] = at;
    cell.turn.store(at, std::memory_order_release);
  }

  /// `read(cell)` reads what `owner` has published; false where it never will.
  template <class Wait, class Read>
  bool read(int owner, Position at, Wait wait, Read read) {
    enter(at);
    auto& cell = boards_[owner].cell[cell_of(turn_of(at))];
    if (wait(cell.turn, at, owner) != at) return false;
    read(cell);
    return true;
  }

 private:
  /// Neighbours, steps as well as calls of one step, take turns.
  static unsigned turn_of(Position at) { return static_cast<unsigned>(at + (at >> step_bits)) % Board::cells; }
  /// Cells of neighbours are far apart: a processor that guesses what its rank reads next would take the line from
  /// the rank that writes it.
  static unsigned cell_of(unsigned turn) { return turn * apart % Board::cells; }

  /// The first of the lines for so much text.
  template <class Wait>
  int take_lines(Position at, std::int64_t bytes, Wait wait) {
    const int n = static_cast<int>((bytes + line_bytes - 1) / line_bytes);
    if (n > lines_left_) {
      part_ = free_part(wait);
      lines_left_ = Board::part_lines;
    }
    last_of_part_[part_] = at;
    lines_left_ -= n;
    return static_cast<int>(part_ + 1) * Board::part_lines - lines_left_ - n;
  }

  /// The first one, so that its lines are still in the ranks' caches where the readers keep up.
  template <class Wait>
  std::size_t free_part(Wait wait) {
    const auto is_free = [this](Position last) { return last == 0 || before(last, all_done_); };
    const auto first_free = [&] { return std::ranges::find_if(last_of_part_, is_free); };
    wait_for_readers(all_done_, wait);
    if (first_free() == last_of_part_.end()) {
      auto sorted = last_of_part_;
      std::ranges::nth_element(sorted, sorted.begin() + sorted.size() / 2, before);
      wait_for_readers(sorted[sorted.size() / 2] + 1, wait);
    }
    const auto free = std::min(first_free(), last_of_part_.end() - 1);  // the last one, were a reader's word wrong
    return static_cast<std::size_t>(free - last_of_part_.begin());
  }

  /// Until nobody reads any more what this rank published in turn before. Where that is still to come, it waits until
  /// half of all cells are free, so that ranks that share a core or a line change places less often.
  template <class Wait>
  void free_cell(unsigned turn, Wait wait) {
    const Position held = held_[turn], half = held_[(turn + Board::cells / 2) % Board::cells];
    if (held != 0 && !before(held, all_done_)) wait_for_readers((before(half, held) ? held : half) + 1, wait);
  }

  /// Until no other rank reads anything from before `at`, which is not after `entered_`.
  template <class Wait>
  void wait_for_readers(Position at, Wait wait) {
    Position all = entered_;
    for (int rank = 0; rank < size_; ++rank) {
      if (rank == own_) continue;
      const Position done = wait(boards_[rank].done, at, rank);
      if (before(done, all)) all = done;
    }
    all_done_ = all;
  }

  static constexpr unsigned apart = 67;  // odd, so that every cell has its turn

  Board* boards_;
  int size_, own_;
  Position entered_ = 0;
  Position all_done_ = 0;                                   // no other rank reads anything from before
  std::array<Position, Board::cells> held_{};               // the last position of each turn
  std::array<Position, Board::text_parts> last_of_part_{};  // the last position whose text is there
  std::size_t part_ = 0;                                    // where the next text goes, if it has
  int lines_left_ = 0;                                      // so many
};

}  // namespace mpigraft::memory
