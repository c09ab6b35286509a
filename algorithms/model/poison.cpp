// SPDX-License-Identifier: MIT
#include "algorithms/model/check.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/replay.hpp"

namespace mpigraft::model {
namespace {

/// The Data policy that follows two things which must agree in the end: which elements depend on what the failed rank
/// did not do any more (`tainted`), and which ranks have received a marked message or page (`told`).
class Taint {
 public:
  Taint(const Recording& recording, int failing, int event, PoisonRule rule)
      : recording_(recording),
        failing_(failing),
        event_(event),
        rule_(rule),
        told_(static_cast<std::size_t>(recording.p)),
        out_(static_cast<std::size_t>(recording.p * recording.ports)),
        in_(out_.size()),
        tainted_(recording.first_cell.back()) {}

  void send(int rank, int port, int event, Span) {
    Message& message = out(rank, port);
    message.empty = after_failure(rank, event);
    message.marked = rule_(message.empty, told_[static_cast<std::size_t>(rank)]);
  }
  void move(int sender, int out_port, Span from, int receiver, int in_port, Span to) {
    const Message& message = in(receiver, in_port) = out(sender, out_port);
    for (std::uint32_t i = 0; i < to.count; ++i) at(receiver, to.at + i) = message.empty | at(sender, from.at + i);
  }
  void received(int rank, int port, int event, Span to) {
    told_[static_cast<std::size_t>(rank)] |= in(rank, port).marked;
    for (std::uint32_t i = 0; i < to.count; ++i) at(rank, to.at + i) |= after_failure(rank, event);
  }
  void publish(int rank, int event, Span from) {
    const bool empty = after_failure(rank, event);
    pages_.push_back({empty, rule_(empty, told_[static_cast<std::size_t>(rank)])});
    for (std::uint32_t i = 0; i < from.count; ++i) published_.push_back(empty | at(rank, from.at + i));
  }
  void read(int rank, int event, std::size_t page, std::size_t first, Span to) {
    told_[static_cast<std::size_t>(rank)] |= pages_[page].marked;
    for (std::uint32_t i = 0; i < to.count; ++i)
      at(rank, to.at + i) = published_[first + i] | after_failure(rank, event);
  }
  void copy(int rank, int event, Span from, Span to) { combine(rank, event, from, from, to); }
  void combine(int rank, int event, Span lower, Span upper, Span out) {
    for (std::uint32_t i = 0; i < out.count; ++i)
      at(rank, out.at + i) = at(rank, lower.at + i) | at(rank, upper.at + i) | after_failure(rank, event);
  }

  void check_told() {
    for (int r = 0; r < recording_.p; ++r) {
      if (r == failing_ || told_[static_cast<std::size_t>(r)] || !recording_.has_result(r)) continue;
      const Span result = recording_.result(r);
      for (std::uint32_t i = 0; i < result.count; ++i)
        if (at(r, result.at + i))
          throw Violation(Fault::poison, "rank " + std::to_string(r) + " does not learn that rank " +
                                             std::to_string(failing_) + " failed before event " +
                                             std::to_string(event_) + ", but its result depends on it");
    }
  }

 private:
  struct Message {
    bool empty = false, marked = false;
  };

  /// The outstanding message at a port of a rank.
  Message& out(int rank, int port) { return out_[static_cast<std::size_t>(rank * recording_.ports + port)]; }
  Message& in(int rank, int port) { return in_[static_cast<std::size_t>(rank * recording_.ports + port)]; }

  bool after_failure(int rank, int event) const { return rank == failing_ && event >= event_; }
  unsigned char& at(int rank, std::uint32_t address) {
    return tainted_[recording_.first_cell[static_cast<std::size_t>(rank)] + address];
  }

  const Recording& recording_;
  const int failing_, event_;
  const PoisonRule rule_;
  std::vector<unsigned char> told_;  // ranks that have received a marked message, or read a marked page
  std::vector<Message> out_, in_, pages_;
  std::vector<unsigned char> tainted_, published_;
};

}  // namespace

Verdict check_poison(const Recording& recording, int failing, int event, PoisonRule rule) {
  try {
    Taint taint(recording, failing, event, rule);
    Replay(recording, count_rounds, taint).run();
    taint.check_told();
  } catch (const Violation& violation) {
    return {violation.fault, violation.what()};
  }
  return {};
}

}  // namespace mpigraft::model
