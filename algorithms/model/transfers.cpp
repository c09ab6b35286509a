// SPDX-License-Identifier: MIT
#include "algorithms/model/transfers.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/model/price.hpp"
#include "algorithms/model/replay.hpp"
#include "algorithms/model/symbolic.hpp"
#include "algorithms/model/values.hpp"

namespace mpigraft::model {
namespace {

/// The Data policy that writes transfers down.
template <class Value>
class Diary : public Symbolic<Value> {
 public:
  explicit Diary(const Recording& recording) : Symbolic<Value>(recording), recording_(recording) {}

  std::vector<Transfer> write() {
    Replay replay(recording_, count_rounds, *this);
    clock_ = &replay;
    replay.run();
    std::ranges::stable_sort(transfers_, {}, [](const Transfer& t) { return std::tuple(t.round, t.actor()); });
    return std::move(transfers_);
  }

  void move(int sender, int out, Span from, int receiver, int in, Span to) {
    Symbolic<Value>::move(sender, out, from, receiver, in, to);
    transfers_.push_back(
        {static_cast<int>(clock_->now()) + 1, sender, receiver, false, to.count, pieces(sender, from)});
  }
  void read(int rank, int index, std::size_t number, std::size_t first, Span to) {
    Symbolic<Value>::read(rank, index, number, first, to);
    const int owner = recording_.event(rank, index).peer;
    transfers_.push_back({static_cast<int>(clock_->now()), owner, rank, true, to.count, pieces(rank, to)});
  }

 private:
  std::vector<Piece> pieces(int rank, Span span) const {
    std::vector<Piece> pieces;
    for (std::uint32_t i = 0; i < span.count; ++i) {
      const auto& cell = this->cell(rank, span.at + i);
      Piece piece{cell.element, cell.element};
      if constexpr (requires { cell.value.lo; })
        std::tie(piece.lo, piece.hi) = std::tuple(cell.value.lo, cell.value.hi);
      Piece* last = pieces.empty() ? nullptr : &pieces.back();
      const bool alike = last && last->lo == piece.lo && last->hi == piece.hi;
      if (!last || last->last + 1 != piece.first || (!alike && recording_.collective->combines())) {
        pieces.push_back(piece);
        continue;
      }
      last->last = piece.last;
      if (!alike) last->lo = last->hi = 0;  // parts of several ranks
    }
    return pieces;
  }

  const Recording& recording_;
  const Replay<Diary>* clock_ = nullptr;
  std::vector<Transfer> transfers_;
};

std::string range(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
}

constexpr std::size_t title_width = 5, gap = 2;

/// What a rank does, by rounds.
struct Column {
  explicit Column(const std::string& title) : width(title.size()), cells{{0, title}} {}
  void add(int round, const std::string& text) {
    std::string& cell = cells[round];
    cell += (cell.empty() ? "" : " ") + text;
    width = std::max(width, cell.size());
  }

  std::size_t width;
  std::map<int, std::string> cells;
};

void add_table(std::vector<std::string>& lines, std::span<const Column> columns, std::size_t width, int rounds) {
  for (int round = 0; round <= rounds; ++round) {
    const std::string title = round == 0 ? "round" : std::to_string(round);
    std::string line = std::string(title_width - std::min(title_width, title.size()), ' ') + title;
    for (const Column& column : columns) {
      const auto found = column.cells.find(round);
      const std::string cell = found == column.cells.end() ? "" : found->second;
      line += std::string(gap, ' ') + cell + std::string(width - cell.size(), ' ');
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace

std::vector<Transfer> transfers_of(const Recording& recording, bool commutative) {
  return commutative ? Diary<Commutative>(recording).write() : Diary<Ordered>(recording).write();
}

std::string words(const Recording& recording, const Transfer& transfer) {
  const bool is_whole = transfer.count == recording.m;
  std::string text;
  for (const Piece& piece : transfer.pieces) {
    if (!text.empty()) text += '+';
    const bool tells_ranks = piece.hi > piece.lo && (is_whole || recording.collective->combines());
    if (tells_ranks) text += range(piece.lo, piece.hi - 1);
    if (!tells_ranks || !is_whole || transfer.pieces.size() > 1) text += "[" + range(piece.first, piece.last) + "]";
  }
  return text + (transfer.is_read ? "<" + std::to_string(transfer.from) : ">" + std::to_string(transfer.to));
}

std::vector<std::string> lines_of(const Recording& recording, const std::vector<Transfer>& transfers,
                                  std::size_t width) {
  std::vector<Column> columns;
  for (int r = 0; r < recording.p; ++r) columns.emplace_back("rank " + std::to_string(r));
  for (const Transfer& transfer : transfers)
    columns[static_cast<std::size_t>(transfer.actor())].add(transfer.round, words(recording, transfer));
  const int rounds = transfers.empty() ? 0 : transfers.back().round;
  std::vector<std::string> lines;
  for (std::span<const Column> rest = columns; !rest.empty();) {
    std::size_t own = 0, count = 0;  // of a column, and of columns
    for (const Column& column : rest) {
      const std::size_t wider = std::max(own, column.width);
      if (count > 0 && (count + 1) * (wider + gap) > width - title_width) break;
      own = wider;
      ++count;
    }
    add_table(lines, rest.first(count), own, rounds);
    rest = rest.subspan(count);
  }
  return lines;
}

}  // namespace mpigraft::model
