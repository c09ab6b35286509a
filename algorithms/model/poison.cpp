// SPDX-License-Identifier: MIT
#include "algorithms/model/check.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/replay.hpp"

namespace mpigraft::model {
namespace {

/// The Data policy that follows two things which must agree in the end: which elements depend on what the failed rank
/// did not do any more (`tainted`), and which ranks have received a marked message (`told`).
class Taint {
 public:
  Taint(const Recording& recording, int failing, int event, PoisonRule rule)
      : recording_(recording),
        failing_(failing),
        event_(event),
        rule_(rule),
        ranks_(static_cast<std::size_t>(recording.p)),
        tainted_(recording.first_cell.back()) {}

  void send(int rank, int event, Span) {
    Rank& sender = ranks_[static_cast<std::size_t>(rank)];
    sender.sends_nothing = after_failure(rank, event);
    sender.marks = rule_(sender.sends_nothing, sender.told);
  }
  void move(int sender, Span from, int receiver, Span to) {
    const Rank& source = ranks_[static_cast<std::size_t>(sender)];
    ranks_[static_cast<std::size_t>(receiver)].arrives_marked = source.marks;
    for (std::uint32_t i = 0; i < to.count; ++i)
      at(receiver, to.at + i) = source.sends_nothing | at(sender, from.at + i);
  }
  void received(int rank, int event, Span to) {
    Rank& receiver = ranks_[static_cast<std::size_t>(rank)];
    receiver.told |= receiver.arrives_marked;
    for (std::uint32_t i = 0; i < to.count; ++i) at(rank, to.at + i) |= after_failure(rank, event);
  }
  void copy(int rank, int event, Span from, Span to) { combine(rank, event, from, from, to); }
  void combine(int rank, int event, Span lower, Span upper, Span out) {
    for (std::uint32_t i = 0; i < out.count; ++i)
      at(rank, out.at + i) = at(rank, lower.at + i) | at(rank, upper.at + i) | after_failure(rank, event);
  }

  void check_told() {
    for (int r = 0; r < recording_.p; ++r) {
      if (r == failing_ || ranks_[static_cast<std::size_t>(r)].told || !recording_.has_result(r)) continue;
      const Span result = recording_.result(r);
      for (std::uint32_t i = 0; i < result.count; ++i)
        if (at(r, result.at + i))
          throw Violation(Fault::poison, "rank " + std::to_string(r) + " does not learn that rank " +
                                             std::to_string(failing_) + " failed before event " +
                                             std::to_string(event_) + ", but its result depends on it");
    }
  }

 private:
  struct Rank {
    bool told = false;
    bool sends_nothing = false;   // of the outstanding send
    bool marks = false;           // of the outstanding send
    bool arrives_marked = false;  // of the outstanding receive
  };

  bool after_failure(int rank, int event) const { return rank == failing_ && event >= event_; }
  unsigned char& at(int rank, std::uint32_t address) {
    return tainted_[recording_.first_cell[static_cast<std::size_t>(rank)] + address];
  }

  const Recording& recording_;
  const int failing_, event_;
  const PoisonRule rule_;
  std::vector<Rank> ranks_;
  std::vector<unsigned char> tainted_;
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
