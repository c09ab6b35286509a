// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/model/replay.hpp"
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// The Data policy that tracks which ranks know of which; a rank has come when it takes its first step. Its peer knows,
/// when a receive or a reading is over, all that the rank knew when it began the send, or published.
class Arrivals : public NoData {
 public:
  explicit Arrivals(const Recording& recording)
      : recording_(recording),
        words_((static_cast<std::size_t>(recording.p) + 63) / 64),
        known_(words_ * static_cast<std::size_t>(recording.p)),
        sent_(known_.size() * static_cast<std::size_t>(recording.ports)),
        under_way_(sent_.size()) {
    for (int r = 0; r < recording.p; ++r) known_[row(r) + word(r)] |= bit(r);
  }

  void send(int rank, int port, int, Span) { assign(sent_, row(rank, port), known_, row(rank)); }
  void move(int sender, int out_port, Span, int receiver, int in_port, Span) {
    assign(under_way_, row(receiver, in_port), sent_, row(sender, out_port));
  }
  void received(int rank, int port, int, Span) { learn(rank, under_way_, row(rank, port)); }
  void publish(int rank, int, Span) {
    published_.resize(published_.size() + words_);
    assign(published_, published_.size() - words_, known_, row(rank));
  }
  void read(int rank, int, std::size_t page, std::size_t, Span) { learn(rank, published_, page * words_); }

  /// Throws a Violation if a rank left before all had come.
  void check_all_have_come() const {
    for (int r = 0; r < recording_.p; ++r) {
      int known = 0;
      for (std::size_t i = 0; i < words_; ++i) known += std::popcount(known_[row(r) + i]);
      if (known < recording_.p)
        throw Violation(Fault::result, "rank " + std::to_string(r) + " leaves when it knows of " +
                                           std::to_string(known) + " of " + std::to_string(recording_.p) + " ranks");
    }
  }

 private:
  using Sets = std::vector<std::uint64_t>;  // of ranks, a bit each

  static std::size_t word(int rank) { return static_cast<std::size_t>(rank) / 64; }
  static std::uint64_t bit(int rank) { return std::uint64_t{1} << rank % 64; }
  std::size_t row(int rank) const { return static_cast<std::size_t>(rank) * words_; }
  std::size_t row(int rank, int port) const {
    return static_cast<std::size_t>(rank * recording_.ports + port) * words_;
  }
  void assign(Sets& to, std::size_t at, const Sets& from, std::size_t first) {
    for (std::size_t i = 0; i < words_; ++i) to[at + i] = from[first + i];
  }
  void learn(int rank, const Sets& from, std::size_t first) {
    for (std::size_t i = 0; i < words_; ++i) known_[row(rank) + i] |= from[first + i];
  }

  const Recording& recording_;
  const std::size_t words_;
  Sets known_, sent_, under_way_, published_;
};

}  // namespace mpigraft::model
