// SPDX-License-Identifier: MIT
// The ranks' steps on words and cells of shared memory, written down one rank after the other, and the order between
// them. That order is each rank's own and, for each await, that of the first store which satisfies it: a later one, of
// the same rank, has no less before it. An order found here holds in every interleaving, whichever store an await sees
// (Lamport 1978; the clocks are Mattern's, 1989).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "shim/memory/broadcast_buffer.hpp"

namespace mpigraft::happens_before {

/// The number of steps of each rank that are known of.
using Clock = std::vector<std::uint32_t>;

enum class Kind : std::uint8_t { store, relaxed_store, await, write, read };

struct Lines {
  int first = 0, count = 0;  // numbered through all broadcast buffers
};

struct Step {
  memory::Position at;
  int place;  // number of a word, or of the word that belongs to a cell
  Kind kind;
  Lines lines = {};  // of what is written
};

class Trace {
 public:
  explicit Trace(int ranks) : steps_(static_cast<std::size_t>(ranks)) { current_ = this; }
  static Trace& current() { return *current_; }

  int new_place() { return places_++; }
  int places() const { return places_; }
  /// The steps that follow are this rank's.
  void begin(int rank) { active_ = static_cast<std::size_t>(rank); }
  void note(Kind kind, int place, memory::Position at, Lines lines = {}) {
    steps_[active_].push_back({at, place, kind, lines});
    lines_ = std::max(lines_, lines.first + lines.count);
  }
  int lines() const { return lines_; }

  const std::vector<std::vector<Step>>& steps() const { return steps_; }  // of each rank
  std::size_t awaits() const {
    std::size_t n = 0;
    for (const auto& mine : steps_) n += static_cast<std::size_t>(std::ranges::count(mine, Kind::await, &Step::kind));
    return n;
  }

 private:
  static inline Trace* current_ = nullptr;
  std::vector<std::vector<Step>> steps_;
  std::size_t active_ = 0;
  int places_ = 0, lines_ = 0;
};

/// In place of std::atomic<Position>.
class Word {
 public:
  void store(memory::Position at, std::memory_order order) {
    const bool releases = order == std::memory_order_release;
    Trace::current().note(releases ? Kind::store : Kind::relaxed_store, number, at);
  }
  const int number = Trace::current().new_place();
};

/// The wait that BroadcastBuffers get: the store that satisfies it comes, at the latest, with exactly this position.
inline constexpr auto wait = [](const Word& word, memory::Position at, int) {
  Trace::current().note(Kind::await, word.number, at);
  return at;
};

class Order {
 public:
  explicit Order(const Trace& trace)
      : trace_(trace),
        ranks_(trace.steps().size()),
        clocks_(ranks_, Clock(ranks_)),
        next_(ranks_),
        words_(static_cast<std::size_t>(trace.places())),
        cells_(words_.size()),
        lines_(static_cast<std::size_t>(trace.lines())) {}

  /// The first problem; empty if there is none.
  std::string problem() {
    for (std::size_t r = 0; r < ranks_; ++r) go_on(r);
    for (; !ready_.empty() && problem_.empty();) {
      const std::size_t r = ready_.back();
      ready_.pop_back();
      go_on(r);
    }
    for (std::size_t r = 0; r < ranks_ && problem_.empty(); ++r)
      if (next_[r] < trace_.steps()[r].size()) wrong(r, "waits for ever");
    for (const Cell& cell : cells_) check(cell);
    return problem_;
  }

 private:
  struct Written {
    std::size_t rank;
    memory::Position at;
    Clock clock;  // empty: nothing is known from it
    Lines lines = {};
  };
  struct Read {
    std::size_t rank;
    std::uint32_t step, known;  // of its reader; of the cell's owner
    memory::Position at;
  };
  struct WordStores {
    std::vector<Written> stores;
    std::vector<std::size_t> waiting;  // ranks
  };
  struct Cell {
    std::vector<Written> writes;
    std::vector<Read> reads;
  };

  /// Goes on until the rank is over, or awaits what is not stored yet.
  void go_on(std::size_t r) {
    const auto& mine = trace_.steps()[r];
    while (next_[r] < mine.size() && problem_.empty()) {
      const Step& step = mine[next_[r]];
      if (step.kind == Kind::await && !await(r, step)) return;
      ++clocks_[r][r];
      if (step.kind == Kind::store || step.kind == Kind::relaxed_store) store(r, step);
      if (step.kind == Kind::write) write(r, step);
      if (step.kind == Kind::read) read(r, cells_[place(step)], step.at);
      ++next_[r];
    }
  }

  static std::size_t place(const Step& step) { return static_cast<std::size_t>(step.place); }

  bool await(std::size_t r, const Step& step) {
    if (step.at == 0) return true;  // what words hold from the beginning
    auto& word = words_[place(step)];
    const auto first = std::ranges::lower_bound(word.stores, step.at, memory::before, &Written::at);
    if (first == word.stores.end()) {
      word.waiting.push_back(r);
      return false;
    }
    if (first->clock.empty() || clocks_[r][first->rank] >= first->clock[first->rank]) return true;
    for (std::size_t i = 0; i < ranks_; ++i) clocks_[r][i] = std::max(clocks_[r][i], first->clock[i]);
    return true;
  }

  void store(std::size_t r, const Step& step) {
    auto& word = words_[place(step)];
    add(r, word.stores, step, step.kind == Kind::store);
    ready_.insert(ready_.end(), word.waiting.begin(), word.waiting.end());
    word.waiting.clear();
  }

  void write(std::size_t r, const Step& step) {
    add(r, cells_[place(step)].writes, step, true);
    for (int i = 0; i < step.lines.count; ++i)
      add(r, lines_[static_cast<std::size_t>(step.lines.first + i)], step, true);
  }

  void add(std::size_t r, std::vector<Written>& all, const Step& step, bool is_known) {
    if (!all.empty() && all.back().rank != r) wrong(r, "writes what another rank writes");
    if (!all.empty() && !memory::before(all.back().at, step.at)) wrong(r, "goes back");
    all.push_back({r, step.at, is_known ? clocks_[r] : Clock{}, step.lines});
  }

  void read(std::size_t r, Cell& cell, memory::Position at) {
    const std::uint32_t known = cell.writes.empty() ? 0 : clocks_[r][cell.writes.back().rank];
    cell.reads.push_back({r, clocks_[r][r], known, at});
  }

  /// A cell has one writer, so that its writes are ordered: each read must come after that of its position, and before
  /// the next one.
  void check(const Cell& cell) {
    for (const Read& read : cell.reads) {
      if (!problem_.empty()) return;
      const auto from = std::ranges::lower_bound(cell.writes, read.at, memory::before, &Written::at);
      if (from == cell.writes.end() || from->at != read.at) return wrong(read.rank, "reads what is never written");
      if (read.known < from->clock[from->rank]) return wrong(read.rank, "read while it may be written");
      check_next(cell.writes, read);
      for (int i = 0; i < from->lines.count; ++i)
        check_next(lines_[static_cast<std::size_t>(from->lines.first + i)], read);
    }
  }

  /// Checks that the next store in the same place comes after the read.
  void check_next(const std::vector<Written>& writes, const Read& read) {
    const auto next = std::ranges::upper_bound(writes, read.at, memory::before, &Written::at);
    if (next != writes.end() && next->clock[read.rank] < read.step) wrong(next->rank, "written while it may be read");
  }

  void wrong(std::size_t rank, const char* what) {
    if (problem_.empty()) problem_ = "rank " + std::to_string(rank) + ": " + what;
  }

  const Trace& trace_;
  const std::size_t ranks_;
  std::vector<Clock> clocks_;
  std::vector<std::size_t> next_;  // step of each rank
  std::vector<WordStores> words_;
  std::vector<Cell> cells_;
  std::vector<std::vector<Written>> lines_;
  std::vector<std::size_t> ready_;  // ranks that may go on
  std::string problem_;
};

}  // namespace mpigraft::happens_before
